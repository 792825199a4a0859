import { checksOf } from '../mutation.ts'

const schemas = ['test/codecs/messages/recursive-schema.test.ts']
const walk = 'plugins/dialects/messages/codec/encode-request/recursive-schema.ts'

/** Work that one request must not multiply. */
export const stallChecks = [
  ...checksOf('translation', walk, schemas, {
    'a node of a schema is entered once': [
      'else if (!this.#done.has(node)) this.#enter(node)',
      'else this.#enter(node)',
    ],
  }),
]
