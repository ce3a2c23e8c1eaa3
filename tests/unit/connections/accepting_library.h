#pragma once

// libnio.so as far as AcceptGate knows it: a library that calls accept().
extern "C" int acceptOn(int listener);
