import { newId, nowInSeconds } from '../ids.ts'
import { type JsonObject, listOf, numberOf, objectOf, textOf } from '../json.ts'
import type { Call, Endpoint, Reply } from '../provider.ts'
import {
  type Shape,
  boolean,
  dictionary,
  integer,
  list,
  number,
  object,
  string,
  stringOr,
} from '../shape.ts'
import { directedProblem } from '../steering/failures.ts'
import { decide } from '../text/decide.ts'
import type { TextResult } from '../text/result.ts'
import { deltasOf } from '../text/words.ts'
import type { Frame } from '../wire/frame.ts'
import { modelName } from './fields.ts'
import { openai, renderOpenAiError } from './provider.ts'

const tokens = list(integer({ min: 0 }), { min: 1 })

const prompt: Shape = (value, path) => {
  if (typeof value === 'string') return
  const [first] = listOf(value)
  const shape = Array.isArray(first)
    ? list(tokens)
    : typeof first === 'number'
      ? tokens
      : list(string(), { min: 1 })
  shape(value, path)
}

const request = object({
  required: { model: modelName },
  optional: {
    prompt,
    best_of: integer({ min: 0, max: 20 }),
    echo: boolean,
    frequency_penalty: number({ min: -2, max: 2 }),
    logit_bias: dictionary(number({ min: -100, max: 100 })),
    logprobs: integer({ min: 0, max: 5 }),
    max_tokens: integer({ min: 0 }),
    n: integer({ min: 1, max: 128 }),
    presence_penalty: number({ min: -2, max: 2 }),
    seed: integer(),
    stop: stringOr(list(string(), { min: 1, max: 4 })),
    stream: boolean,
    stream_options: object({ optional: { include_usage: boolean, include_obfuscation: boolean } }),
    suffix: string(),
    temperature: number({ min: 0, max: 2 }),
    top_p: number({ min: 0, max: 1 }),
    user: string(),
  },
})

/** `POST /v1/completions`. */
export const completions: Endpoint = {
  provider: openai,
  method: 'POST',
  path: /^\/v1\/completions$/,
  hasBody: true,
  answer,
}

function answer({ account, body, directives }: Call): Reply {
  request(body, [])
  const text = listOf(body['prompt']).concat(textOf(body['prompt'])).filter(Boolean).join('\n')
  const decided = decide(
    {
      model: textOf(body['model']),
      userText: text,
      toolResults: [],
      toolRounds: 0,
      inputText: text,
      tools: [],
      toolChoice: 'none',
      outputSchema: undefined,
      reasoning: false,
      maxTokens: numberOf(body['max_tokens']),
      stop: listOf(body['stop']).concat(textOf(body['stop'])).map(textOf).filter(Boolean),
    },
    directives,
    account.id,
  )
  const heading = {
    id: newId('cmpl-'),
    object: 'text_completion',
    created: nowInSeconds(),
    model: body['model'],
  }
  const count = numberOf(body['n']) ?? 1
  const shown = decided.text ?? decided.refusal ?? ''
  const whole = body['echo'] === true ? text + shown : shown
  const choices = Array.from({ length: count }, (_, index) =>
    choiceOf(whole, index, reasonOf(decided)),
  )
  const usage = usageOf(decided, count)
  const json = { ...heading, choices, ...(usage && { usage }) }
  if (body['stream'] !== true) return { json }

  const frames: Frame[] = choices.flatMap((_, index) => [
    ...deltasOf(whole, decided.inOnePiece).map((delta) => ({
      data: { ...heading, choices: [choiceOf(delta, index, null)] },
    })),
    { data: { ...heading, choices: [choiceOf('', index, reasonOf(decided))] } },
  ])
  const wantsUsage = objectOf(body['stream_options'])['include_usage'] === true
  if (wantsUsage && usage) frames.push({ data: { ...heading, choices: [], usage } })
  const failure = [{ data: { error: renderOpenAiError(directedProblem(directives, 500)) } }]
  return {
    json,
    stream: { frames: [...frames, { data: '[DONE]' }], failure, framing: 'sse' },
  }
}

function choiceOf(text: string, index: number, reason: string | null): JsonObject {
  return { text, index, logprobs: null, finish_reason: reason }
}

function reasonOf({ ending, finish }: TextResult): string {
  if (finish !== undefined) return finish
  if (ending.reason === 'refusal') return 'content_filter'
  return ending.reason === 'length' ? 'length' : 'stop'
}

function usageOf({ usage }: TextResult, choices: number): JsonObject | undefined {
  if (!usage) return undefined
  const output = usage.output * choices
  return {
    prompt_tokens: usage.input,
    completion_tokens: output,
    total_tokens: usage.input + output,
  }
}
