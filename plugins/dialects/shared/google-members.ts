import type { JsonObject } from '../../../src/lib/json/object.ts'

/** A member of a request in either spelling of Protobuf: `taskType` or `task_type`. */
export function memberOf(json: JsonObject, name: string): unknown {
  return json[name] ?? json[snakeOf(name)]
}

/** The members of a request besides these, in either spelling. */
export function unknownMembers(json: JsonObject, known: readonly string[]): string[] {
  const names = new Set([...known, ...known.map(snakeOf)])
  return Object.keys(json).filter((name) => !names.has(name))
}

function snakeOf(name: string): string {
  return name.replaceAll(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`)
}
