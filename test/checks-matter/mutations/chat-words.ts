import { checksOf, removed } from '../mutation.ts'

const request = 'plugins/dialects/chat/request.ts'
const rows = ['test/contract/text/chat.test.ts']

/** The words of Chat Completions that only native accounts would check. */
export const chatWordChecks = [
  ...checksOf('requests', request, rows, {
    ...removed({
      'a chat verbosity is a word of three':
        "checkWord(json, 'verbosity', ['low', 'medium', 'high'])",
      'a chat effort is a text':
        "if (isPresent(json, 'reasoning_effort')) requireString(json, 'reasoning_effort')",
    }),
    'a chat format has a known type': ['!formats.includes(format.type as string)', 'false'],
    'a chat format of a schema has one': ['!isObject(format.json_schema)', 'false'],
  }),
]
