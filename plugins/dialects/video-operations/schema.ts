import { mostVideos } from '../../../src/media/video.ts'
import { maxSeconds } from '../../../src/media/video-frame.ts'
import { list, object, text } from '../shared/json-schema.ts'

const string = { type: 'string' }

const generated = object({ uri: text, videoBytes: text, mimeType: text, createTime: text })

const sample = object({
  video: object({ uri: text, encodedVideo: text, encoding: text }),
  encoding: text,
})

const image = {
  type: 'object',
  properties: { bytesBase64Encoded: string, gcsUri: string, mimeType: string },
}

const video = {
  type: 'object',
  properties: { uri: string, gcsUri: string, encodedVideo: string, encoding: string },
}

/** Schemas of `:predictLongRunning`. */
export const createSchema = {
  request: {
    type: 'object',
    required: ['instances'],
    properties: {
      instances: {
        type: 'array',
        minItems: 1,
        maxItems: mostVideos,
        items: {
          type: 'object',
          properties: { prompt: string, image, lastFrame: image, video },
        },
      },
      parameters: {
        type: 'object',
        properties: {
          aspectRatio: { type: 'string', pattern: '^[1-9]\\d{0,4}:[1-9]\\d{0,4}$' },
          resolution: string,
          durationSeconds: { type: 'integer', minimum: 1, maximum: maxSeconds },
          sampleCount: { type: 'integer', minimum: 1, maximum: mostVideos },
          negativePrompt: string,
          seed: { type: 'integer' },
        },
      },
    },
  },
  reply: { type: 'object', required: ['name'], properties: { name: { type: 'string' } } },
}

/** Schema of the request of `:fetchPredictOperation`. */
export const fetchSchema = {
  type: 'object',
  required: ['operationName'],
  properties: { operationName: { type: 'string' } },
}

/** Schema of an operation. */
export const operationSchema = {
  type: 'object',
  required: ['name', 'done'],
  properties: {
    name: { type: 'string' },
    done: { type: 'boolean' },
    response: {
      type: 'object',
      properties: {
        generatedVideos: list(generated),
        generateVideoResponse: {
          type: 'object',
          properties: { generatedSamples: list(sample) },
        },
      },
    },
    error: {
      type: 'object',
      properties: {
        code: { type: 'integer' },
        message: { type: 'string' },
        details: { type: 'array', items: { type: 'object' } },
      },
    },
  },
}

/** Schema of a file object. */
export const fileSchema = {
  type: 'object',
  properties: {
    name: { type: 'string' },
    mimeType: { type: 'string' },
    uri: { type: 'string' },
    downloadUri: { type: 'string' },
    state: { enum: ['PROCESSING', 'ACTIVE', 'FAILED'] },
  },
}
