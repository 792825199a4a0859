import type { AnySchema } from 'ajv'

import { objectSchema } from '../replies.ts'

/** Resources, Video job and Long-running operation, as JSON Schemas. */

const string = { type: 'string' }
const nullable = (schema: AnySchema) => ({ anyOf: [{ type: 'null' }, schema] })

/** A time in seconds; later ones cannot be written as ISO 8601 timestamps. */
const time = { type: 'integer', minimum: 1, maximum: 253_402_300_799 }

/** `error`: code, message, type; all strings. */
const jobError = objectSchema({
  code: { ...string, minLength: 1 },
  message: { ...string, minLength: 1 },
  type: string,
})

export const videoJob = objectSchema({
  id: { ...string, pattern: '^video_[0-9a-z]{29}$' },
  object: { const: 'video' },
  created_at: time,
  completed_at: nullable(time),
  expires_at: nullable(time),
  model: { const: 'camera' },
  status: { enum: ['pending', 'in_progress', 'completed', 'failed'] },
  progress: { type: 'integer', minimum: 0, maximum: 100 },
  seconds: { ...string, pattern: '^(\\d+(\\.\\d+)?)?$' },
  size: { ...string, pattern: '^(\\d+x\\d+)?$' },
  remixed_from_video_id: nullable(string),
  error: nullable(jobError),
})

export const videoList = objectSchema({ data: { type: 'array', minItems: 1, items: videoJob } })

const sample = objectSchema({
  video: objectSchema({ uri: string, encoding: string, 'encodedVideo?': string }),
  encoding: string,
})

const generated = objectSchema({
  uri: string,
  mimeType: string,
  createTime: { ...string, pattern: '^\\d{4}-\\d\\d-\\d\\dT\\d\\d:\\d\\d:\\d\\d\\.\\d{3}Z$' },
  'videoBytes?': string,
})

const list = (items: AnySchema) => ({ type: 'array', items })

/** Both response forms are returned together. */
const result = objectSchema({
  generatedVideos: list(generated),
  generateVideoResponse: objectSchema({
    generatedSamples: list(sample),
    'raiMediaFilteredCount?': { type: 'integer', minimum: 0 },
    'raiMediaFilteredReasons?': list(string),
  }),
})

/** `error.code` (integer), `error.message` (string), `error.details` (array of objects). */
const status = objectSchema({
  code: { type: 'integer', minimum: -9_007_199_254_740_991, maximum: 9_007_199_254_740_991 },
  message: { ...string, minLength: 1 },
  details: list({ type: 'object' }),
})

export const operation = objectSchema({
  name: {
    ...string,
    pattern:
      '^projects/[^/]+/locations/[^/]+/publishers/google/models/camera/operations/[0-9a-z]{29}$',
  },
  done: { type: 'boolean' },
  'response?': result,
  'error?': status,
})
