import { type JsonObject, isGiven, objectOf } from '../../json.ts'
import { ruleFault } from '../../fault.ts'
import {
  type Members,
  boolean,
  choice,
  dictionary,
  integer,
  list,
  object,
  string,
  stringOr,
  variants,
} from '../../shape.ts'
import { commonFields, modelName, reasoningEffort, verbosity } from '../fields.ts'
import { inputItems } from './item-shapes.ts'
import { inputPart } from './part-shapes.ts'
import { responsesTool, responsesToolChoice } from './tool-shapes.ts'

const includable = choice(
  'code_interpreter_call.outputs',
  'computer_call_output.output.image_url',
  'file_search_call.results',
  'message.input_image.image_url',
  'message.output_text.logprobs',
  'reasoning.encrypted_content',
  'web_search_call.action.sources',
  'web_search_call.results',
)

const summaryStyle = choice('auto', 'concise', 'detailed')

const textFormat = variants('type', {
  text: {},
  json_object: {},
  json_schema: {
    required: {
      name: string({ pattern: /^[a-zA-Z0-9_-]{1,64}$/ }),
      schema: object({ open: true }),
    },
    optional: { description: string(), strict: boolean },
  },
})

// The fields that counting input tokens accepts too.
const countedFields: Members = {
  conversation: stringOr(object({ required: { id: string() } })),
  input: stringOr(inputItems),
  instructions: string(),
  model: modelName,
  parallel_tool_calls: boolean,
  previous_response_id: string({ min: 1 }),
  reasoning: object({
    optional: {
      effort: reasoningEffort,
      summary: summaryStyle,
      generate_summary: summaryStyle,
      context: choice('auto', 'current_turn', 'all_turns'),
      mode: string(),
    },
  }),
  text: object({ optional: { format: textFormat, verbosity } }),
  tool_choice: responsesToolChoice,
  tools: list(responsesTool),
  truncation: choice('auto', 'disabled'),
}

const countRequest = object({ optional: { ...countedFields, personality: string() } })

const createRequest = object({
  optional: {
    ...commonFields,
    ...countedFields,
    access_programs: object({ open: true }),
    background: boolean,
    // Undocumented, but Codex sends it to OpenAI with every request.
    client_metadata: dictionary(string()),
    context_management: list(object({ required: { type: string() }, open: true })),
    image: object({ open: true }),
    include: list(includable),
    max_output_tokens: integer({ min: 16 }),
    max_tool_calls: integer({ min: 1 }),
    prompt: object({
      required: { id: string() },
      optional: {
        version: string(),
        variables: dictionary(stringOr(inputPart)),
      },
    }),
    stream_options: object({ optional: { include_obfuscation: boolean } }),
  },
})

/** Throws unless OpenAI accepts this body for a response. */
export function checkResponseRequest(body: JsonObject): void {
  createRequest(body, [])
  const isSet = (key: string) => isGiven(body[key])
  if (!isSet('model') && !isSet('prompt'))
    throw ruleFault(['model'], "Missing required parameter: 'model'.", 'missing_required_parameter')
  if (!['input', 'previous_response_id', 'prompt', 'conversation'].some(isSet))
    throw ruleFault(['input'], "Missing required parameter: 'input'.", 'missing_required_parameter')
  refuseBoth(body)
  if (body['background'] === true && body['store'] === false)
    throw ruleFault(['background'], 'Background mode requires store to be true.', 'invalid_value')
  if (objectOf(objectOf(body['text'])['format'])['type'] === 'json_object')
    if (!/json/i.test(JSON.stringify([body['input'], body['instructions']])))
      throw ruleFault(
        ['input'],
        "Response input messages must contain the word 'json' in some form to use " +
          "'text.format' of type 'json_object'.",
      )
}

/** Throws unless OpenAI accepts this body for counting tokens. */
export function checkInputTokensRequest(body: JsonObject): void {
  countRequest(body, [])
  refuseBoth(body)
}

function refuseBoth(body: JsonObject): void {
  if ((body['previous_response_id'] ?? null) === null || (body['conversation'] ?? null) === null)
    return
  throw ruleFault(
    ['previous_response_id'],
    "Mutually exclusive parameters: ''. Ensure you are only providing one of: 'pre..._id' or " +
      "'conversation'.",
    'mutually_exclusive_parameters',
  )
}
