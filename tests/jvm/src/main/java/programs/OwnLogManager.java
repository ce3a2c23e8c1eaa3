package programs;

import java.util.logging.LogManager;

/**
 * As servers have it: logging that was started before this class could be found stays theirs not.
 */
public final class OwnLogManager extends LogManager {}
