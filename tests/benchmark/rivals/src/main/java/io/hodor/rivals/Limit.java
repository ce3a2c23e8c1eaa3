package io.hodor.rivals;

/** Says for each request whether it is one too many. Any thread. */
interface Limit {
  /** Null: the request is rejected. */
  Admitted acquire();

  /** A request that was let in. */
  interface Admitted {
    /**
     * To be called once.
     *
     * @param answered false: the application failed, or the client went away
     */
    void end(boolean answered);
  }
}
