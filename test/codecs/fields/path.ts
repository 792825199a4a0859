import type { JsonObject } from '../../../src/lib/json/object.ts'

/** The steps of a path: `a.b[].c[kind].d` has the steps a, b, [], c, [kind], d; `a[0].b` has a, 0, b. */
export function stepsOf(path: string): readonly string[] {
  return path
    .replaceAll(/\[([^\]]*)\]/g, (_, kind: string) =>
      /^\d+$/.test(kind) ? `.${kind}` : `.[${kind}]`,
    )
    .split('.')
    .filter((step) => step !== '')
}

/** The value at a path such as `messages[0].content`; `undefined` if there is none. */
export function valueAt(json: unknown, path: string): unknown {
  let value = json
  for (const step of stepsOf(path)) value = (value as Record<string, unknown> | undefined)?.[step]
  return value
}

/**
 * A copy of a body with another value at a path. A step `[kind]` makes an object with that `type`, unless
 * there is one; a step `[]` is the first element of a list.
 */
export function withValue(body: JsonObject, path: readonly string[], value: unknown): JsonObject {
  return put(body, path, value) as JsonObject
}

function put(json: unknown, [step, ...rest]: readonly string[], value: unknown): unknown {
  if (step === undefined) return value
  if (step === '[]') return [put((json as unknown[] | undefined)?.[0], rest, value)]
  if (step.startsWith('['))
    return put({ type: step.slice(1, -1).split('|')[0], ...own(json) }, rest, value)
  if (/^\d+$/.test(step)) {
    const list = [...((json as unknown[] | undefined) ?? [])]
    list[Number(step)] = put(list[Number(step)], rest, value)
    return list
  }
  const object = own(json)
  return { ...object, [step]: put(object[step], rest, value) }
}

function own(json: unknown): Record<string, unknown> {
  return typeof json === 'object' && json !== null && !Array.isArray(json) ? { ...json } : {}
}
