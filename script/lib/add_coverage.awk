# SPDX-License-Identifier: MIT
#
# Adds up the coverage tables of several runs of the oracle: awk -f add_coverage.awk LOG... Exit status 1 when
# many programs together never covered something.

/^(opcode|file|modifier|test|form) / {
    name = substr($0, 1, 38)
    if (!(name in total))
        order[++names] = name
    total[name] += $NF
}

/^[0-9]+ programs, / {
    programs += $1
    failed += $3
}

END {
    for (i = 1; i <= names; i++) {
        printf "%s %8d\n", order[i], total[order[i]]
        zeros += total[order[i]] == 0
    }
    printf "%d programs, %d modules failed, %d kinds never covered\n", programs, failed, zeros
    exit failed > 0 || (zeros > 0 && programs >= 1000)
}
