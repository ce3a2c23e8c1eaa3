/* The shim's class files (see shim_classes.h), between two hidden symbols. */
    .section .rodata
    .globl hodorShimBegin
    .hidden hodorShimBegin
    .balign 8
hodorShimBegin:
    .incbin HODOR_SHIM_FILE
    .globl hodorShimEnd
    .hidden hodorShimEnd
hodorShimEnd:
    .byte 0
    .section .note.GNU-stack, "", %progbits
