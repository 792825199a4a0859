import type { JsonObject } from '../../../../src/lib/json/object.ts'
import type { Name } from '../../samples/index.ts'
import { stepsOf, withValue } from '../path.ts'
import { chatHosts } from './chat.ts'
import { generateHosts } from './generate.ts'
import type { Host } from './host.ts'
import { messagesHosts } from './messages.ts'
import { responsesHosts } from './responses.ts'

const hosts: Readonly<Record<Name, readonly Host[]>> = {
  chat: chatHosts,
  generate: generateHosts,
  messages: messagesHosts,
  responses: responsesHosts,
}

/** Two requests that differ in one field. */
export interface Bodies {
  readonly without: JsonObject
  readonly with: JsonObject
  /** The name of the field in refusals and losses. */
  readonly field: string
}

/** A client's request with a field of this value, and the same without it. */
export function bodiesFor(client: Name, field: string, value: unknown): Bodies {
  const host = hostOf(client, field)
  const rest = stepsOf(field.slice(lengthOf(host.of, field)))
  const steps = [...stepsOf(host.at), ...rest]
  return {
    without: host.body,
    with: withValue(host.body, steps, value),
    field: rest.reduce(joinStep, host.at),
  }
}

/** The path of a member as clients read it: the first of a list, without the kind of an object. */
function joinStep(path: string, step: string): string {
  if (step === '[]') return `${path}[0]`
  if (step.startsWith('[')) return path
  return path === '' ? step : `${path}.${step}`
}

/** The most specific host of a field. */
function hostOf(client: Name, field: string): Host {
  const [best] = hosts[client]
    .filter(({ of }) => lengthOf(of, field) !== undefined)
    .toSorted((one, other) => rank(other, field) - rank(one, field))
  if (!best) throw new Error(`No request of ${client} has ${field}.`)
  return best
}

function rank({ of }: Host, field: string): number {
  return (lengthOf(of, field) ?? 0) * 2 - (of.includes('[*]') ? 1 : 0)
}

/** The number of characters of a field's path that an object's path covers. */
function lengthOf(of: string, field: string): number | undefined {
  if (of === '') return 0
  const words = of.split('[*]').map((part) => RegExp.escape(part))
  const match = new RegExp(`^${words.join(String.raw`\[[^\]]+\]`)}(?=$|[.[])`).exec(field)
  return match?.[0].length
}
