/** Where captures are written. */
export interface CaptureSetting {
  /** Absolute path. */
  directory: string
  /** How long a file stays, in hours. */
  keepHours: number
  /** All files of the directory together, in bytes. */
  maxBytes: number
}

/** The defaults of all settings but the directory. */
export const defaultCapture: Omit<CaptureSetting, 'directory'> = {
  keepHours: 24,
  maxBytes: 64 * 1024 * 1024,
}
