import { checksOf, removed } from '../mutation.ts'

const ranges = ['test/requests/ranges.test.ts']
const arrays = ['test/requests/arrays.test.ts']
const types = ['test/requests/types.test.ts']
const more = ['test/checks-matter/requests.test.ts']

const responses = 'plugins/dialects/responses/request.ts'
const chat = 'plugins/dialects/chat/request.ts'
const messages = 'plugins/dialects/messages/request.ts'
const generate = 'plugins/dialects/generate/request.ts'

/** The fields of each dialect's requests. */
export const fieldChecks = [
  ...checksOf('requests', responses, arrays, {
    'responses: model is required': ["requireString(json, 'model')", 'json.model as string'],
    'responses: input is required': ["requireField(json, 'input')", ''],
    'responses: a stored prompt stands for the input': [
      "!isPresent(json, 'prompt') || typeof",
      'true || typeof',
    ],
  }),
  ...checksOf(
    'requests',
    responses,
    ranges,
    removed({
      'responses: temperature': "checkNumber(json, 'temperature', 0, 2)",
      'responses: top_p': "checkNumber(json, 'top_p', 0, 1)",
      'responses: top_logprobs': "checkInteger(json, 'top_logprobs', 0, 20)",
    }),
  ),
  ...checksOf('requests', responses, ['test/requests/responses-by-id-conversation.test.ts'], {
    'responses: conversation is not blank': [
      "id === undefined || id.trim() === ''",
      'id === undefined',
    ],
  }),
  ...checksOf('requests', responses, ['test/requests/previous-response.test.ts'], {
    'responses: previous_response_id is a string': ["typeof id !== 'string' || ", ''],
    'responses: previous_response_id is not blank': [
      "typeof id !== 'string' || id.trim() === ''",
      "typeof id !== 'string'",
    ],
    'responses: previous_response_id may be null': [
      "if (!isPresent(json, 'previous_response_id')) return []",
      "if (!('previous_response_id' in json)) return []",
    ],
    'responses: previous_response_id is looked at first': [
      'const refersTo = readPreviousResponse(json)',
      "requireField(json, 'input')\n  const refersTo = readPreviousResponse(json)",
    ],
  }),
  ...checksOf('requests', responses, types, {
    'responses: max_output_tokens': ["checkInteger(json, 'max_output_tokens', 0)", ''],
    'responses: max_tool_calls': ["checkInteger(json, 'max_tool_calls', 0)", ''],
    'responses: type of input': [
      "throw wrong('input', 'a string or an array of input items')",
      'return',
    ],
    'responses: type of instructions': ["['instructions', ", '['],
    'responses: type of truncation': [
      "checkWord(json, 'truncation', ['auto', 'disabled'])",
      "checkString(json, 'truncation')",
    ],
    'responses: type of service_tier': ["'service_tier', ", ''],
    'responses: type of user': ["'user', ", ''],
    'responses: type of safety_identifier': ["'safety_identifier', ", ''],
    'responses: type of prompt_cache_key': [", 'prompt_cache_key']", ']'],
    'responses: type of tool_choice': [
      "checkChoice(json, 'tool_choice', ['none', 'auto', 'required'], 'type')",
      '',
    ],
    'responses: type of prompt': ["checkStringOrObject(json, 'prompt')", ''],
    'responses: type of stream': ["['stream', 'store'", "['store'"],
    'responses: type of store': ["'stream', 'store'", "'stream'"],
    'responses: type of parallel_tool_calls': ["'parallel_tool_calls', ", ''],
    'responses: type of tools': ["checkArray(json, 'tools')", ''],
    'responses: type of include': ['  checkInclude(json)\n', ''],
    'responses: type of metadata': ["['metadata', ", '['],
    'responses: type of text': ["'metadata', 'text', ", "'metadata', "],
    'responses: type of reasoning': ["'text', 'reasoning', ", "'text', "],
    'responses: stream_options only with stream': [
      "throw wrong('stream_options', 'left out unless `stream` is true')",
      '',
    ],
  }),

  ...checksOf('requests', responses, more, {
    'responses: a prompt of words does not': [" || typeof json.prompt === 'string'", ''],
    'responses: type of background': [", 'background'", ''],
    'responses: type of stream_options': ["'reasoning', 'stream_options'", "'reasoning'"],
  }),

  ...checksOf('requests', chat, arrays, {
    'chat: model is required': ["requireString(json, 'model')", 'json.model as string'],
    'chat: messages are required': ["requireField(json, 'messages')", ''],
    'chat: at least one message': [
      "checkArray(json, 'messages', 1)",
      "checkArray(json, 'messages')",
    ],
    'chat: at most 4 stop sequences': ["checkStop(json, 'stop', 4)", ''],
    'chat: 1 to 128 functions': ["checkArray(json, 'functions', 1, 128)", ''],
  }),
  ...checksOf('requests', chat, ranges, {
    'chat: temperature': ["checkNumber(json, 'temperature', 0, 2)", ''],
    'chat: top_p': ["checkNumber(json, 'top_p', 0, 1)", ''],
    'chat: frequency_penalty': ["checkNumber(json, 'frequency_penalty', -2, 2)", ''],
    'chat: presence_penalty': ["checkNumber(json, 'presence_penalty', -2, 2)", ''],
    'chat: seed': ["checkInteger(json, 'seed', -seedLimit, seedLimit)", ''],
    'chat: n': ["checkInteger(json, 'n', 1, 128)", ''],
    'chat: top_logprobs': ["checkInteger(json, 'top_logprobs', 0, 20)", ''],
    'chat: top_logprobs needs logprobs': [
      "throw wrong('top_logprobs', 'left out unless `logprobs` is true')",
      '',
    ],
    'chat: logit_bias is an object': ["checkObject(json, 'logit_bias')", ''],
    'chat: logit_bias from -100 to 100': [
      "throw wrong('logit_bias', 'an object of numbers from -100 to 100')",
      '',
    ],
  }),
  ...checksOf(
    'requests',
    chat,
    types,
    removed({
      'chat: type of stream': "checkBoolean(json, 'stream')",
      'chat: type of store': "checkBoolean(json, 'store')",
      'chat: type of parallel_tool_calls': "checkBoolean(json, 'parallel_tool_calls')",
      'chat: type of user': "'user', ",
      'chat: type of safety_identifier': "'safety_identifier', ",
      'chat: type of prompt_cache_key': "'prompt_cache_key', ",
      'chat: type of service_tier': ", 'service_tier'",
      'chat: type of tool_choice': "'tool_choice', ",
      'chat: type of function_call': ", 'function_call'",
      'chat: type of logprobs': "checkBoolean(json, 'logprobs')",
      'chat: max_tokens': "checkInteger(json, 'max_tokens', 0)",
      'chat: max_completion_tokens': "checkInteger(json, 'max_completion_tokens', 0)",
      'chat: type of tools': "checkArray(json, 'tools')",
      'chat: type of modalities': "checkStrings(json, 'modalities')",
      'chat: type of metadata': "checkObject(json, 'metadata')",
      'chat: type of stream_options': "checkObject(json, 'stream_options')",
    }),
  ),

  ...checksOf('requests', messages, arrays, {
    'messages: model is required': ["requireString(json, 'model')", 'json.model as string'],
    'messages: messages are required': ["requireField(json, 'messages')", ''],
    'messages: max_tokens is required': ["requireField(json, 'max_tokens')", ''],
    'messages: at least one message': [
      "checkArray(json, 'messages', 1)",
      "checkArray(json, 'messages')",
    ],
    'messages: at most 4 stop_sequences': [
      "checkStrings(json, 'stop_sequences', 4)",
      "checkStrings(json, 'stop_sequences')",
    ],
  }),
  ...checksOf('requests', messages, ['test/requests/bounded-models.test.ts'], {
    'messages: max_tokens of the listed models': [
      "checkInteger(json, 'max_tokens', 1, boundedTokens)",
      '{}',
    ],
    'messages: the listed models have two spellings': [', `vendor-${model}`]', ']'],
    'messages: an alias has the bound of its model': [
      'snapshot.resolve(call.model)?.name ?? call.model',
      'call.model',
    ],
    'messages: max_tokens of other models': ["checkInteger(json, 'max_tokens', 0)", '{}'],
  }),
  ...checksOf(
    'requests',
    messages,
    ranges,
    removed({
      'messages: temperature': "checkNumber(json, 'temperature', 0, 1)",
      'messages: top_p': "checkNumber(json, 'top_p', 0, 1)",
      'messages: top_k': "checkInteger(json, 'top_k', 1)",
    }),
  ),
  ...checksOf(
    'requests',
    messages,
    types,
    removed({
      'messages: type of stream': "checkBoolean(json, 'stream')",
      'messages: type of metadata': "checkObject(json, 'metadata')",
      'messages: type of tools': "checkArray(json, 'tools')",
      'messages: type of tool_choice': "checkObject(json, 'tool_choice')",
    }),
  ),

  ...checksOf('requests', generate, [...arrays, ...types], {
    'generate: contents are required': ["  requireField(json, 'contents')\n  check", '  check'],
    'generate: type of generationConfig': ["['generationConfig', ", '['],
  }),
  ...checksOf('requests', generate, ['test/requests/climbing-models.test.ts'], {
    'generate: a count names one model': [
      "throw wrong('generateContentRequest.model', 'the model of the path')",
      '',
    ],
  }),
  ...checksOf('requests', generate, more, {
    'generate: contents hold something': [
      "checkArray(json, 'contents', 1)\n  for",
      "checkArray(json, 'contents')\n  for",
    ],
    'generate: a count needs contents': [
      "if (name === undefined) requireField(json, 'contents')",
      '',
    ],
    'generate: type of generation_config': ["'generation_config', ", ''],
  }),

  ...checksOf(
    'requests',
    'plugins/dialects/chat/edits.ts',
    ['test/requests/edits/chat-images.test.ts'],
    {
      'chat: an image above 8 MB is discarded': ['imageSize(bytes, part) > largestImage', 'false'],
      'chat: an image of 8 MB is not': ['> largestImage', '>= largestImage'],
      'chat: a discarded image is told of': [
        'if (large.has(part)) losses.push',
        'if (false) losses.push',
      ],
    },
  ),

  ...checksOf('requests', 'src/kit/checks.ts', [...ranges, ...arrays], {
    'the least of a number': [
      "typeof value !== 'number' || value < least ||",
      "typeof value !== 'number' ||",
    ],
    'the most of a number': [
      "typeof value !== 'number' || value < least || value > most",
      "typeof value !== 'number' || value < least",
    ],
    'a number is a number': [
      "typeof value !== 'number' || value < least",
      '(value as number) < least',
    ],
    'an integer is whole': ['!isWhole || ', ''],
    'the least of an integer': ['(value as number) >= least && ', ''],
    'the most of an integer': [' && (value as number) <= most', ''],
    'an array is an array': [
      "if (!Array.isArray(value)) throw wrong(fieldAt(path, name), 'an array')",
      '',
    ],
    'the least of an array': ['value.length < least || ', ''],
    'the most of an array': [' || value.length > most', ''],
    'a required string says something': [" || value.trim() === ''", ''],
    'a required field is not null': [
      'return (json[name] ?? undefined) !== undefined',
      'return name in json',
    ],
  }),
]
