import type { JsonObject } from '../../src/lib/json/object.ts'
import { absent } from './rows.ts'

/** The names and indexes of a path such as `instances[0].prompt`. */
function stepsOf(path: string): (string | number)[] {
  return [...path.matchAll(/[^.[\]]+/g)].map(([step]) => (/^\d+$/.test(step) ? Number(step) : step))
}

/** A copy of a body with another value at a path; without the member if the value is `absent`. */
export function withField(body: JsonObject, path: string, value: unknown): JsonObject {
  return replaced(body, stepsOf(path), value) as JsonObject
}

function replaced(node: unknown, [step, ...rest]: (string | number)[], value: unknown): unknown {
  if (step === undefined) return value
  const copy: Record<string | number, unknown> | unknown[] = Array.isArray(node)
    ? [...(node as unknown[])]
    : typeof node === 'object' && node !== null
      ? { ...node }
      : typeof step === 'number'
        ? []
        : {}
  const members = copy as Record<string | number, unknown>
  const next = replaced(members[step], rest, value)
  if (next === absent) delete members[step]
  else members[step] = next
  return copy
}
