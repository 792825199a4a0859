const image = {
  type: 'object',
  properties: { bytesBase64Encoded: { type: 'string' }, mimeType: { type: 'string' } },
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
        items: {
          type: 'object',
          properties: { prompt: { type: 'string' }, image, lastFrame: image },
        },
      },
      parameters: {
        type: 'object',
        properties: {
          aspectRatio: { type: 'string' },
          durationSeconds: { type: 'integer' },
          sampleCount: { type: 'integer' },
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
        generatedVideos: { type: 'array', items: { type: 'object' } },
        generateVideoResponse: {
          type: 'object',
          properties: { generatedSamples: { type: 'array', items: { type: 'object' } } },
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
