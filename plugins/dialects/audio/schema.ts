const text = { type: 'string' }
const count = { type: 'integer' }

/** Schema of `POST /v1/audio/speech`. */
export const speechSchema = {
  request: {
    type: 'object',
    required: ['model', 'input'],
    properties: {
      model: text,
      input: text,
      voice: { type: ['string', 'object'], properties: { id: text } },
      instructions: text,
      response_format: text,
      speed: { type: 'number' },
      stream_format: { type: 'string', enum: ['sse', 'audio'] },
    },
  },
}

const shared = {
  file: { description: 'The audio.', type: 'string', format: 'binary' },
  model: text,
  prompt: text,
  temperature: { type: 'number', minimum: 0, maximum: 1 },
}

const usage = {
  type: 'object',
  properties: {
    type: { type: 'string', enum: ['tokens', 'duration'] },
    seconds: { type: 'number' },
    input_tokens: count,
    output_tokens: count,
    total_tokens: count,
    input_token_details: {
      type: 'object',
      properties: { audio_tokens: count, text_tokens: count },
    },
  },
}

const reply = {
  type: 'object',
  required: ['text'],
  properties: {
    text,
    duration: { type: 'number' },
    language: text,
    segments: { type: 'array', items: { type: 'object' } },
    words: { type: 'array', items: { type: 'object' } },
    usage,
  },
}

const texts = { type: 'array', items: text }

/** Schemas of `POST /v1/audio/transcriptions`. */
export const transcriptionSchema = {
  request: {
    type: 'object',
    required: ['file', 'model'],
    properties: {
      ...shared,
      response_format: {
        type: 'string',
        enum: ['json', 'text', 'srt', 'verbose_json', 'vtt', 'diarized_json'],
      },
      language: text,
      stream: { type: 'boolean' },
      include: texts,
      timestamp_granularities: texts,
      known_speaker_names: texts,
      known_speaker_references: texts,
    },
  },
  reply,
}

/** Schemas of `POST /v1/audio/translations`. */
export const translationSchema = {
  request: {
    type: 'object',
    required: ['file', 'model'],
    properties: {
      ...shared,
      response_format: { type: 'string', enum: ['json', 'text', 'srt', 'verbose_json', 'vtt'] },
    },
  },
  reply,
}
