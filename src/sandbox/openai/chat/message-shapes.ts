import {
  type Members,
  type ObjectSpec,
  anything,
  choice,
  list,
  nullable,
  object,
  string,
  stringOr,
  variants,
} from '../../shape.ts'
import { imageDetail, imageUrl } from '../fields.ts'

const cacheBreakpoint: Members = { prompt_cache_breakpoint: anything }

const textPart: ObjectSpec = { required: { text: string() }, optional: cacheBreakpoint }

const refusalPart: ObjectSpec = { required: { refusal: string() }, optional: cacheBreakpoint }

const textParts = list(variants('type', { text: textPart }), { min: 1 })

const assistantParts = list(variants('type', { text: textPart, refusal: refusalPart }), { min: 1 })

const userParts = list(
  variants('type', {
    text: textPart,
    image_url: {
      required: {
        image_url: object({ required: { url: imageUrl }, optional: { detail: imageDetail } }),
      },
      optional: cacheBreakpoint,
    },
    input_audio: {
      required: {
        input_audio: object({ required: { data: string(), format: choice('wav', 'mp3') } }),
      },
      optional: cacheBreakpoint,
    },
    file: {
      required: {
        file: object({
          optional: { file_id: string(), file_data: string(), filename: string() },
        }),
      },
      optional: cacheBreakpoint,
    },
  }),
  { min: 1 },
)

/** The id of a tool call; OpenAI accepts at most 40 characters. */
const callId = string({ min: 1, max: 40 })

const toolCall = variants('type', {
  function: {
    required: {
      id: callId,
      function: object({ required: { name: string({ min: 1, max: 64 }), arguments: string() } }),
    },
  },
  custom: {
    required: {
      id: callId,
      custom: object({ required: { name: string({ min: 1, max: 64 }), input: string() } }),
    },
  },
})

const name: Members = { name: string({ pattern: /^[^\s<|\\/>]+$/ }) }

const instructions: ObjectSpec = { required: { content: stringOr(textParts) }, optional: name }

/**
 * One message of the conversation. An assistant message may have all members of a reply, since
 * clients send replies back unchanged. `reasoning_content` is an extension of many providers.
 */
export const message = variants('role', {
  developer: instructions,
  system: instructions,
  user: { required: { content: stringOr(userParts) }, optional: name },
  assistant: {
    optional: {
      ...name,
      content: stringOr(assistantParts),
      refusal: string(),
      audio: object({ required: { id: string() }, open: true }),
      tool_calls: list(toolCall, { min: 1, max: 128 }),
      function_call: object({ required: { name: string(), arguments: string() } }),
      annotations: list(anything),
      reasoning_content: string(),
    },
  },
  tool: { required: { content: stringOr(textParts), tool_call_id: callId }, optional: name },
  function: { required: { content: nullable(string()), name: string() } },
})
