// SPDX-License-Identifier: MIT
//
// The package's module beside the one of which tools/pack_wasm.py made it: the same in memory, once it has unpacked its
// tables, and the same for JavaScript.
//
// usage: node packed.mjs BUILD_FOLDER

import assert from 'node:assert';
import fs from 'node:fs';
import path from 'node:path';

const [build] = process.argv.slice(2);

function open(name) {
    const module = new WebAssembly.Module(fs.readFileSync(path.join(build, 'web', name)));
    const imports = {};
    for (const {module: from, name: what} of WebAssembly.Module.imports(module))
        (imports[from] ??= {})[what] = () => 0;
    return {module, exports: new WebAssembly.Instance(module, imports).exports};
}

const tests = {
    tablesAndTexts({packed, plain}) {
        packed.exports._initialize();
        const expected = Buffer.from(plain.exports.memory.buffer), found = Buffer.from(packed.exports.memory.buffer);
        assert.strictEqual(found.length, expected.length);
        const begin = expected.findIndex((byte) => byte !== 0);
        assert.ok(found.subarray(begin).equals(expected.subarray(begin)), 'the module unpacked other bytes');
        assert.ok(found.length - begin > 200000);
    },

    interfaces({packed, plain}) {
        for (const list of [WebAssembly.Module.imports, WebAssembly.Module.exports])
            assert.deepStrictEqual(list(packed.module), list(plain.module));
    },
};

const modules = {packed: open('aerogpu.wasm'), plain: open('optimised.wasm')};
for (const [name, test] of Object.entries(tests)) {
    let log = '';
    try {
        test(modules);
    } catch (error) {
        log = String(error);
    }
    console.log(JSON.stringify({name: `packed/${name}`, result: log === '' ? 'passed' : 'failed', log}));
}
