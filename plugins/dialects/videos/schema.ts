const nullable = (type: string) => ({ type: [type, 'null'] })

const error = {
  type: ['object', 'null'],
  properties: {
    code: { type: 'string' },
    message: { type: 'string' },
    type: { type: 'string' },
  },
}

/** Schema of a video object. */
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

/** Schemas of `POST /v1/videos`. */
export const createSchema = {
  request: {
    type: 'object',
    required: ['model', 'prompt'],
    properties: {
      model: {
        type: 'string',
        description: 'Defaults to `sora-2` if the gateway serves it; otherwise required.',
      },
      prompt: { type: 'string' },
      seconds: { type: 'string' },
      size: { type: 'string' },
      input_reference: {
        type: ['string', 'object'],
        properties: { image_url: { type: 'string' }, file_id: { type: 'string' } },
        description:
          'A file or its URL in a form; in JSON either `image_url` or `file_id`, or a plain URL.',
      },
    },
  },
  reply: videoSchema,
}

/** Schemas of `POST /v1/videos/{id}/remix`. */
export const remixSchema = {
  request: {
    type: 'object',
    required: ['prompt'],
    properties: { prompt: { type: 'string' }, model: { type: 'string' } },
  },
  reply: videoSchema,
}

/** Schema of the reply of `GET /v1/videos`. */
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

/** Schema of the reply of `DELETE /v1/videos/{id}`. */
export const deletedSchema = {
  type: 'object',
  properties: {
    id: { type: 'string' },
    object: { const: 'video.deleted' },
    deleted: { const: true },
  },
}
