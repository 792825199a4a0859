const oneOf = (...words: string[]) => ({ type: 'string', enum: words })

const shared = {
  prompt: { type: 'string', maxLength: 32_000 },
  model: { type: 'string' },
  n: { type: 'integer', minimum: 1, maximum: 10 },
  background: oneOf('transparent', 'opaque', 'auto'),
  output_format: oneOf('png', 'jpeg', 'webp'),
  output_compression: { type: 'integer', minimum: 0, maximum: 100 },
  partial_images: { type: 'integer', minimum: 0, maximum: 3 },
  quality: { type: 'string' },
  response_format: oneOf('url', 'b64_json'),
  size: { type: 'string' },
  stream: { type: 'boolean' },
  moderation: { type: 'string' },
  user: { type: 'string' },
  svg: { type: 'object', properties: { model: { type: 'string' } } },
}

const count = { type: 'integer' }

const reply = {
  type: 'object',
  required: ['created', 'data'],
  properties: {
    created: { type: 'integer' },
    data: {
      type: 'array',
      items: {
        type: 'object',
        properties: { b64_json: { type: 'string' }, url: { type: 'string' } },
      },
    },
    background: { type: 'string' },
    output_format: { type: 'string' },
    quality: { type: 'string' },
    size: { type: 'string' },
    usage: {
      type: 'object',
      properties: {
        input_tokens: count,
        input_tokens_details: {
          type: 'object',
          properties: { image_tokens: count, text_tokens: count },
        },
        output_tokens: count,
        total_tokens: count,
      },
    },
  },
}

const reference = {
  type: 'object',
  properties: { image_url: { type: 'string' }, file_id: { type: 'string' } },
}

const file = { type: 'string', format: 'binary' }

/** Schemas of `POST /v1/images/edits`. */
export const editSchema = {
  request: {
    type: 'object',
    required: ['prompt'],
    properties: {
      ...shared,
      input_fidelity: oneOf('high', 'low'),
      image: {
        description: 'A file, or `image[]` for each of up to 16, in a form.',
        type: ['string', 'array'],
        items: { ...file, properties: reference.properties },
        properties: reference.properties,
      },
      images: { description: 'In JSON.', type: 'array', maxItems: 16, items: reference },
      mask: {
        description: 'A PNG file in a form; in JSON either `image_url` or `file_id`.',
        type: ['string', 'object'],
        properties: reference.properties,
      },
    },
  },
  reply,
}

/** Schemas of `POST /v1/images/generations`. */
export const generationSchema = {
  request: { type: 'object', required: ['prompt'], properties: shared },
  reply,
}
