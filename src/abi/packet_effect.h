/* SPDX-License-Identifier: MIT
 *
 * What packets do, as columns of the packet table (packet.h): effects of a packet, roles of its fields, kinds
 * of objects that fields name, and states of a context that packets set.
 */
#ifndef AG_ABI_PACKET_EFFECT_H
#define AG_ABI_PACKET_EFFECT_H

#include <stdbool.h>
#include <stdint.h>

#include "aerogpu/abi/cmd.h"
#include "aerogpu/abi/ext.h"

/* ---- Packets ------------------------------------------------------------------------------------------- */

/* A set: a packet has one or several. */
enum ag_effect {
    AG_EFFECT_NOTHING = 1 << 0,       /* and no other effect */
    AG_EFFECT_OBJECTS = 1 << 1,       /* creates or destroys objects or share tokens */
    AG_EFFECT_UPLOADS = 1 << 2,       /* brings bytes of the guest into a resource */
    AG_EFFECT_DISCARDS = 1 << 3,      /* what is in a resource may be lost */
    AG_EFFECT_CHANGES = 1 << 4,       /* a property of an object */
    AG_EFFECT_SETS = 1 << 5,          /* state and bindings of the context: column `sets` */
    AG_EFFECT_SETS_DEFAULTS = 1 << 6, /* all state and bindings of the context become D3D11's defaults */
    AG_EFFECT_DRAWS = 1 << 7,         /* reads and writes what is bound: ag_state_info() */
    AG_EFFECT_DISPATCHES = 1 << 8,
    AG_EFFECT_COPIES = 1 << 9,          /* writes resources from resources */
    AG_EFFECT_CLEARS = 1 << 10,         /* a view */
    AG_EFFECT_CLEARS_TARGETS = 1 << 11, /* those that are bound */
    AG_EFFECT_ANSWERS = 1 << 12,        /* tells the guest something in its memory */
    AG_EFFECT_QUERIES = 1 << 13,        /* begins or ends what a query counts */
    AG_EFFECT_EXECUTES = 1 << 14,       /* the packets of a command list */
    AG_EFFECT_PRESENTS = 1 << 15,       /* shows the first colour target, or the texture that it reads */
    AG_EFFECT_FLUSHES = 1 << 16,        /* hands the work so far to the GPU */
    AG_EFFECT_ENDS_CONTEXT = 1 << 17,   /* whose state and bindings end */
};

/* ---- Fields -------------------------------------------------------------------------------------------- */

/* What a packet does with what a field names, or what a number says. */
enum ag_role {
    AG_ROLE_NONE,
    AG_ROLE_CREATES, /* a new name */
    AG_ROLE_MADE_OF, /* what the new name shows, is made of or lies in */
    AG_ROLE_DESTROYS,
    AG_ROLE_READS,
    AG_ROLE_WRITES,
    AG_ROLE_READS_AND_WRITES,
    AG_ROLE_DISCARDS,
    AG_ROLE_CHANGES,
    AG_ROLE_BINDS, /* to the field's `state` */
    AG_ROLE_BEGINS,
    AG_ROLE_ENDS,
    AG_ROLE_EXECUTES,
    AG_ROLE_LAST_OF_NAMES = AG_ROLE_EXECUTES,
    /* Of fields that name nothing: */
    AG_ROLE_SLOT,          /* of the first of those that are bound to the field's `state` */
    AG_ROLE_COUNT,         /* of the values of the array that is bound to the field's `state` */
    AG_ROLE_KEEPS,         /* flags of the column `keeps` */
    AG_ROLE_CLEARED,       /* enum aerogpu_clear_flags: which bound targets */
    AG_ROLE_WRITE_BACK,    /* enum aerogpu_copy_flags: whether what is written is written back, too */
    AG_ROLE_PRESENTED,     /* enum aerogpu_present_flags, of packets that show the first colour target */
    AG_ROLE_SYNC_INTERVAL, /* periods of the display that a present waits */
    AG_ROLE_PARTS,         /* a count of subresources, of textures that have no other parts */
    AG_ROLE_STENCIL_ENABLE,
    AG_ROLE_CONTEXT, /* the number of a context */
    AG_ROLE_PROGRAM, /* enum aerogpu_ext_program of a shader, where the packet has no stage word */
};

/* What a field names. The first three are one namespace, as are those from signatures to command lists. */
enum ag_object {
    AG_OBJECT_NONE,
    AG_OBJECT_BUFFER,
    AG_OBJECT_TEXTURE,
    AG_OBJECT_VIEW,
    AG_OBJECT_RESOURCE, /* any of the three */
    AG_OBJECT_SHADER,
    AG_OBJECT_INPUT_LAYOUT,
    AG_OBJECT_SAMPLER,
    AG_OBJECT_SIGNATURE,
    AG_OBJECT_STREAM_OUTPUT,
    AG_OBJECT_BLEND_STATE,
    AG_OBJECT_DEPTH_STENCIL_STATE,
    AG_OBJECT_RASTERIZER_STATE,
    AG_OBJECT_QUERY,
    AG_OBJECT_COMMAND_LIST,
    AG_OBJECT_ANY,        /* from signatures to command lists */
    AG_OBJECT_TOKEN,      /* under which contexts share a resource: 64 bits */
    AG_OBJECT_ALLOCATION, /* of guest memory: its number in the submission's table, 0 is none */
};

static inline bool ag_object_is_resource(uint8_t object)
{
    return object >= AG_OBJECT_BUFFER && object <= AG_OBJECT_RESOURCE;
}

/* ---- State --------------------------------------------------------------------------------------------- */

enum ag_state {
    AG_STATE_NONE,
    AG_STATE_SHADER_RESOURCES,
    AG_STATE_CONSTANT_BUFFERS,
    AG_STATE_VERTEX_BUFFERS,
    AG_STATE_INDEX_BUFFER,
    AG_STATE_UNORDERED_ACCESS,
    AG_STATE_STREAM_OUTPUT_TARGETS,
    AG_STATE_COLOR_TARGETS,
    AG_STATE_DEPTH_STENCIL_TARGET,
    AG_STATE_SAMPLERS,
    AG_STATE_SHADERS,
    AG_STATE_CLASS_INSTANCES,
    AG_STATE_CONSTANTS,
    AG_STATE_INPUT_LAYOUT,
    AG_STATE_TOPOLOGY,
    AG_STATE_BLEND,
    AG_STATE_DEPTH_STENCIL,
    AG_STATE_RASTERIZER,
    AG_STATE_VIEWPORTS,
    AG_STATE_SCISSORS,
    AG_STATE_PREDICATION,
    AG_STATE_D3D9, /* render and sampler states of Direct3D 9, which are kept and mean nothing */
    AG_STATE_COUNT
};

#define AG_STATE_BIT(state) (UINT32_C(1) << (state))
#define AG_STATES_ALL (AG_STATE_BIT(AG_STATE_COUNT) - AG_STATE_BIT(AG_STATE_NONE + 1))

/* What packets change beside states, for those who keep what they made of both: contents of resources, which
 * then have another version; anything at all. */
#define AG_CHANGES_CONTENTS AG_STATE_BIT(AG_STATE_COUNT)
#define AG_CHANGES_ALL UINT32_MAX

/* Slots of a context, or of each of its stages. */
#define AG_VERTEX_BUFFER_SLOTS 32
#define AG_RESOURCE_SLOTS 128
#define AG_SAMPLER_SLOTS 16
#define AG_CBUFFER_SLOTS 14
#define AG_UAV_SLOTS 64
#define AG_VIEWPORT_SLOTS 16

/* Who does what with the resources that are bound to a state. */
enum ag_state_access {
    AG_ACCESS_NONE,
    AG_ACCESS_READ,       /* draws and dispatches read them */
    AG_ACCESS_WRITE,      /* draws and dispatches write them */
    AG_ACCESS_DRAW_WRITE, /* draws write them */
};

struct ag_state_info {
    uint8_t slots; /* of handles; 0: it is no binding of resources */
    bool staged;   /* each stage has its own */
    uint8_t access;
};

const struct ag_state_info *ag_state_info(enum ag_state state);

/* A flag that leaves states as they are. */
struct ag_kept_states {
    uint32_t flag, states;
};

#endif
