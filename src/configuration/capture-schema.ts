import { resolve, dirname } from 'node:path'

import { z } from 'zod'

import { type CaptureSetting, defaultCapture } from '../capture/settings.ts'
import { defined } from '../lib/json/object.ts'
import { bytes, described, expects } from './schema-nodes.ts'

/** Permits operators to capture requests and replies of a key, for a bounded time. */
export interface CaptureConfig {
  /** Directory of the files, which have what callers send and get. A relative path starts at this file. */
  directory: string
  /** After so many hours a file is deleted. Default: 24. */
  keepHours?: number
  /** All files together. Default: 64 MiB. */
  maxBytes?: number
}

/** The schema of `capture`. */
export const captureSchema = z.strictObject({
  directory: described(
    z.string().min(1).meta(expects('a directory', '/var/lib/dragoman/captures')),
    'Directory of the files, which have what callers send and get. The gateway creates it, for its own user alone; a relative path starts at the configuration file.',
  ),
  keepHours: described(
    z.int().min(1).max(720).meta(expects('a whole number of hours from 1 to 720', 24)),
    'After so many hours a file is deleted.',
    { default: defaultCapture.keepHours },
  ).optional(),
  maxBytes: described(bytes, 'All files together. A capture ends where it would exceed them.', {
    default: defaultCapture.maxBytes,
  }).optional(),
})

/** Applies the defaults. */
export function completeCapture(
  configured: z.infer<typeof captureSchema> | false,
  { file, cwd = '.' }: { readonly file?: string | undefined; readonly cwd?: string | undefined },
): CaptureSetting | false {
  if (configured === false) return false
  const { directory, ...rest } = configured
  const base = file === undefined ? cwd : dirname(file)
  return { ...defaultCapture, ...defined(rest), directory: resolve(base, directory) }
}
