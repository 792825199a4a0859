import { z } from 'zod'

import { defaultCapture } from '../capture/settings.ts'
import { bytes, expects, required, withDefault } from './schema-nodes.ts'

/** The schema of `capture`. */
export const captureSchema = z.strictObject({
  directory: required(
    z.string().min(1).meta(expects('a directory', '/var/lib/dragoman/captures')),
    'Directory of the files, which have what callers send and get. The gateway creates it, for its own user alone; a relative path starts at the configuration file.',
  ),
  keepHours: withDefault(
    z.int().min(1).max(720).meta(expects('a whole number of hours from 1 to 720', 24)),
    'After so many hours a file is deleted.',
    defaultCapture.keepHours,
  ),
  maxBytes: withDefault(
    bytes,
    'All files together. A capture ends where it would exceed them.',
    defaultCapture.maxBytes,
  ),
})
