import { type JsonObject, isGiven, objectOf, objectsOf } from '../../json.ts'
import { ruleFault } from '../../fault.ts'
import {
  anything,
  boolean,
  choice,
  dictionary,
  integer,
  list,
  number,
  object,
  string,
  stringOr,
  variants,
} from '../../shape.ts'
import { commonFields, modelName, reasoningEffort, verbosity } from '../fields.ts'
import { checkMessages } from './check-messages.ts'
import { message } from './message-shapes.ts'
import { chatTool, chatToolChoice } from './tool-shapes.ts'

const responseFormat = variants('type', {
  text: {},
  json_object: {},
  json_schema: {
    required: {
      json_schema: object({
        required: { name: string({ pattern: /^[a-zA-Z0-9_-]{1,64}$/ }) },
        optional: {
          schema: object({ open: true }),
          strict: boolean,
          description: string(),
        },
      }),
    },
  },
})

const request = object({
  required: { model: modelName, messages: list(message, { min: 1 }) },
  optional: {
    ...commonFields,
    audio: object({ required: { format: string(), voice: anything } }),
    function_call: anything,
    functions: list(object({ required: { name: string() }, open: true }), { min: 1 }),
    logit_bias: dictionary(number({ min: -100, max: 100 })),
    logprobs: boolean,
    max_completion_tokens: integer({ min: 1 }),
    max_tokens: integer({ min: 1 }),
    modalities: list(choice('text', 'audio')),
    n: integer({ min: 1, max: 128 }),
    prediction: object({ open: true }),
    reasoning_effort: reasoningEffort,
    response_format: responseFormat,
    seed: integer(),
    stop: stringOr(list(string(), { min: 1, max: 4 })),
    stream_options: object({ optional: { include_usage: boolean, include_obfuscation: boolean } }),
    tool_choice: chatToolChoice,
    tools: list(chatTool, { min: 1, max: 128 }),
    verbosity,
    web_search_options: object({ open: true }),
  },
})

/** Throws unless OpenAI accepts this body for a chat completion. */
export function checkChatRequest(body: JsonObject): void {
  request(body, [])
  checkCombinations(body)
  checkMessages(objectsOf(body['messages']))
}

function checkCombinations(body: JsonObject): void {
  const isSet = (key: string) => isGiven(body[key])
  if (isSet('stream_options') && body['stream'] !== true)
    throw ruleFault(
      ['stream_options'],
      "'stream_options' is only allowed when 'stream' is enabled.",
    )
  for (const key of ['tool_choice', 'parallel_tool_calls'])
    if (isSet(key) && body[key] !== 'none' && !isSet('tools'))
      throw ruleFault([key], `'${key}' is only allowed when 'tools' are specified.`)
  if (isSet('max_tokens') && isSet('max_completion_tokens'))
    throw ruleFault(['max_tokens'], "'max_tokens' and 'max_completion_tokens' cannot both be set.")
  if (isSet('top_logprobs') && body['top_logprobs'] !== 0 && body['logprobs'] !== true)
    throw ruleFault(['top_logprobs'], "'top_logprobs' is only allowed when 'logprobs' is enabled.")
  if (objectOf(body['response_format'])['type'] === 'json_object')
    if (!/json/i.test(JSON.stringify(body['messages'])))
      throw ruleFault(
        ['messages'],
        "'messages' must contain the word 'json' in some form, to use 'response_format' of type " +
          "'json_object'.",
      )
}
