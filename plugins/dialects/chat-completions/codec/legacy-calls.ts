import type { JsonObject } from '../../../../src/codec.ts'
import type { ToolCallPart, ToolResult } from '../../../../src/generate/content.ts'
import { toolIdOf } from '../../../../src/generate/tool-ids.ts'
import { isGiven, readName, readObject, readText } from '../../../../src/codecs/read.ts'

/** Calls of `functions` have no ids: a result belongs to the last call of its name. */
export class LegacyCalls {
  readonly #ids = new Map<string, string>()

  call(value: unknown, path: string): ToolCallPart {
    const called = readObject(value, path)
    const name = readName(called.name, `${path}.name`)
    const id = toolIdOf(path, name)
    this.#ids.set(name, id)
    const text = readText(called.arguments ?? '', `${path}.arguments`)
    return { type: 'tool_call', id, name, kind: 'function', arguments: text }
  }

  result(message: JsonObject, path: string): ToolResult {
    const name = readName(message.name, `${path}.name`)
    const content = isGiven(message.content) ? readText(message.content, `${path}.content`) : ''
    const callId = this.#ids.get(name) ?? toolIdOf(path, name)
    return { callId, name, content: [{ type: 'text', text: content }] }
  }
}
