import type { JsonObject } from '../../../../src/codec.ts'
import type { OutputItem } from './output-item.ts'

/** An item of reasoning that has nothing but the signature of the item before it. */
export class SealItem implements OutputItem {
  readonly id: string
  readonly isOpen = false
  readonly tokens = []
  readonly #token: string

  constructor(id: string, token: string) {
    this.id = id
    this.#token = token
  }

  json(): JsonObject {
    return { id: this.id, type: 'reasoning', summary: [], encrypted_content: this.#token }
  }
}
