package io.hodor.examples.jetty;

/** The command line. */
record Flags(
    int port,
    int threads,
    int minThreads,
    int acceptQueue,
    int workMillis,
    long rounds,
    int memoryKb,
    boolean virtual,
    boolean help) {
  static final String HELP =
      String.join(
          System.lineSeparator(),
          "jetty-demo [flags]",
          "  --port N          port on 127.0.0.1; 0: any (default 0)",
          "  --threads N       threads of the pool (default 200)",
          "  --min-threads N   threads that are always there (default 8)",
          "  --accept-queue N  accept backlog (default 4096)",
          "  --work-ms N       CPU work of a request, calibrated at start (default 2)",
          "  --rounds N        CPU work of a request as rounds, without calibration",
          "  --memory-kb N     what /memory holds (default 1024)",
          "  --virtual N       1: requests run in virtual threads, of Java 21 and later (default 0)");

  static Flags parse(String[] args) {
    int port = 0;
    int threads = 200;
    int minThreads = 8;
    int acceptQueue = 4096;
    int workMillis = 2;
    long rounds = 0;
    int memoryKb = 1024;
    boolean virtual = false;
    for (int i = 0; i < args.length; i++) {
      String flag = args[i];
      if (flag.equals("--help")) {
        return new Flags(0, 0, 0, 0, 0, 0, 0, false, true);
      }
      if (i + 1 == args.length) {
        throw new IllegalArgumentException(flag + " has no value; --help lists the flags");
      }
      String value = args[++i];
      switch (flag) {
        case "--port" -> port = number(flag, value, 0, 65535);
        case "--threads" -> threads = number(flag, value, 8, 10000);
        case "--min-threads" -> minThreads = number(flag, value, 1, 10000);
        case "--accept-queue" -> acceptQueue = number(flag, value, 1, 65535);
        case "--work-ms" -> workMillis = number(flag, value, 1, 1000);
        case "--rounds" -> rounds = number(flag, value, 1, Integer.MAX_VALUE);
        case "--memory-kb" -> memoryKb = number(flag, value, 1, 1 << 20);
        case "--virtual" -> virtual = number(flag, value, 0, 1) == 1;
        default -> throw new IllegalArgumentException(flag + " is unknown; --help lists the flags");
      }
    }
    int least = Math.min(minThreads, threads);
    return new Flags(
        port, threads, least, acceptQueue, workMillis, rounds, memoryKb, virtual, false);
  }

  private static int number(String flag, String value, int low, int high) {
    try {
      int number = Integer.parseInt(value);
      if (number >= low && number <= high) {
        return number;
      }
    } catch (NumberFormatException e) {
      // told below
    }
    throw new IllegalArgumentException(
        flag + " is a whole number from " + low + " to " + high + ", not " + value);
  }
}
