const nullable = (type: string) => ({ type: [type, 'null'] })

const error = {
  type: ['object', 'null'],
  properties: {
    code: { type: 'string' },
    message: { type: 'string' },
    type: { type: 'string' },
  },
}

export const videoSchema = {
  type: 'object',
  required: ['id', 'object', 'created_at', 'model', 'status', 'progress', 'seconds', 'size'],
  properties: {
    id: { type: 'string' },
    object: { const: 'video' },
    created_at: { type: 'integer' },
    completed_at: nullable('integer'),
    expires_at: nullable('integer'),
    model: { type: 'string' },
    status: { enum: ['pending', 'queued', 'in_progress', 'completed', 'failed'] },
    progress: { type: 'integer', minimum: 0, maximum: 100 },
    seconds: { type: 'string' },
    size: { type: 'string' },
    prompt: nullable('string'),
    remixed_from_video_id: nullable('string'),
    error,
  },
}

export const createSchema = {
  request: {
    type: 'object',
    required: ['model', 'prompt'],
    properties: {
      model: {
        type: 'string',
        description:
          'Clients that leave it out get `sora-2` where the gateway has it, and else 400.',
      },
      prompt: { type: 'string' },
      seconds: { type: 'string' },
      size: { type: 'string' },
      input_reference: {
        description:
          'A file in a form, or its URL; in JSON one of `image_url` and `file_id`, or the URL alone.',
      },
    },
  },
  reply: videoSchema,
}

export const remixSchema = {
  request: {
    type: 'object',
    required: ['prompt'],
    properties: { prompt: { type: 'string' }, model: { type: 'string' } },
  },
  reply: videoSchema,
}

export const listSchema = {
  type: 'object',
  properties: {
    object: { const: 'list' },
    data: { type: 'array', items: videoSchema },
    first_id: nullable('string'),
    last_id: nullable('string'),
    has_more: { type: 'boolean' },
  },
}

export const deletedSchema = {
  type: 'object',
  properties: {
    id: { type: 'string' },
    object: { const: 'video.deleted' },
    deleted: { const: true },
  },
}
