import type { Problem } from '../../contract/problems.ts'

/** What the program that runs the gateway can do. */
export interface ProcessControl {
  /** Reads the configuration again and returns its problems; nothing changes. */
  check?(): Promise<readonly Problem[]>
  /** Reads the configuration again and uses it. Returns its problems; with any, nothing changes. */
  reload?(): Promise<readonly Problem[]>
  /**
   * Ends the process as a signal does: what is in flight goes on for a time. `everything`: the workers
   * beside it end too, and no other takes their place.
   */
  drain?(everything: boolean): void
}
