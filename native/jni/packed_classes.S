/* Class files of the Java side (see packed_classes.h), each pack between two hidden symbols. */
    .macro pack name, file
    .globl \name\()Begin
    .hidden \name\()Begin
    .balign 8
\name\()Begin:
    .incbin "\file"
    .globl \name\()End
    .hidden \name\()End
\name\()End:
    .byte 0
    .endm

    .section .rodata
    pack hodorShim, shim.bin
    pack hodorJetty9, jetty_9.bin
    pack hodorJetty11, jetty_11.bin
    pack hodorJetty12, jetty_12.bin
    .section .note.GNU-stack, "", %progbits
