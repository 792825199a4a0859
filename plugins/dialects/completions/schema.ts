import {
  either,
  flag,
  integer,
  list,
  number,
  object,
  text,
  textOrNull,
} from '../shared/json-schema.ts'

const tokens = list(integer)

/** Schemas of `POST /v1/completions`. */
export const completionsSchema = {
  request: {
    type: 'object',
    required: ['model'],
    additionalProperties: true,
    properties: {
      model: text,
      prompt: either(text, list(either(text, tokens)), tokens),
      best_of: integer,
      echo: flag,
      frequency_penalty: number,
      logit_bias: { type: 'object', additionalProperties: number },
      logprobs: integer,
      max_tokens: integer,
      n: integer,
      presence_penalty: number,
      seed: integer,
      stop: either(text, list(text)),
      stream: flag,
      stream_options: object({ include_usage: flag }),
      suffix: textOrNull,
      temperature: number,
      top_p: number,
      user: text,
    },
  },
  reply: object({
    id: text,
    object: text,
    created: integer,
    model: text,
    choices: list(object({ text, index: integer, finish_reason: textOrNull })),
    usage: object({
      prompt_tokens: integer,
      completion_tokens: integer,
      total_tokens: integer,
    }),
  }),
}
