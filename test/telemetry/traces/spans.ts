import { type Field, bytesIn, fieldsOf, messagesIn, numberIn } from './protobuf.ts'

type Value = string | number | boolean | readonly Value[] | undefined

/** Attributes by their names. */
export type Attributes = Readonly<Record<string, Value>>

/** A span as a collector gets it. */
export interface ReceivedSpan {
  readonly traceId: string
  readonly spanId: string
  /** `''` for the first span of a trace. */
  readonly parentId: string
  readonly name: string
  readonly kind: 'internal' | 'server' | 'client' | 'other'
  /** Milliseconds since 1970. */
  readonly start: number
  readonly end: number
  readonly attributes: Attributes
  readonly events: readonly {
    readonly name: string
    readonly time: number
    readonly attributes: Attributes
    readonly dropped?: number
  }[]
  readonly links: readonly {
    readonly traceId: string
    readonly spanId: string
    readonly attributes: Attributes
    readonly dropped?: number
  }[]
  /** How many attributes, events and links a limit has left out. Absent: none, as of events and links. */
  readonly dropped?: number
  readonly droppedEvents?: number
  readonly droppedLinks?: number
  readonly status: 'unset' | 'ok' | 'error'
  readonly resource: Attributes
}

/** The spans of an `ExportTraceServiceRequest` (OTLP over HTTP, protobuf). */
export function spansIn(body: Buffer): ReceivedSpan[] {
  return messagesIn(fieldsOf(body), 1).flatMap((resourceSpans) => {
    const [resource = []] = messagesIn(resourceSpans, 1)
    const common = attributesIn(resource, 1)
    return messagesIn(resourceSpans, 2).flatMap((scope) =>
      messagesIn(scope, 2).map((span) => spanIn(span, common)),
    )
  })
}

function spanIn(fields: readonly Field[], resource: Attributes): ReceivedSpan {
  const [status = []] = messagesIn(fields, 15)
  const kind = numberIn(fields, 6)
  return {
    traceId: bytesIn(fields, 1).toString('hex'),
    spanId: bytesIn(fields, 2).toString('hex'),
    parentId: bytesIn(fields, 4).toString('hex'),
    name: bytesIn(fields, 5).toString(),
    kind: ({ 1: 'internal', 2: 'server', 3: 'client' } as const)[kind] ?? 'other',
    start: timeIn(fields, 7),
    end: timeIn(fields, 8),
    attributes: attributesIn(fields, 9),
    ...countIn('dropped', fields, 10),
    ...countIn('droppedEvents', fields, 12),
    ...countIn('droppedLinks', fields, 14),
    events: messagesIn(fields, 11).map((event) => ({
      name: bytesIn(event, 2).toString(),
      time: timeIn(event, 1),
      attributes: attributesIn(event, 3),
      ...countIn('dropped', event, 4),
    })),
    links: messagesIn(fields, 13).map((link) => ({
      traceId: bytesIn(link, 1).toString('hex'),
      spanId: bytesIn(link, 2).toString('hex'),
      attributes: attributesIn(link, 4),
      ...countIn('dropped', link, 5),
    })),
    status: (['unset', 'ok', 'error'] as const)[numberIn(status, 3)] ?? 'unset',
    resource,
  }
}

function countIn(name: string, fields: readonly Field[], number: number): object {
  const count = numberIn(fields, number)
  return count > 0 ? { [name]: count } : {}
}

function timeIn(fields: readonly Field[], number: number): number {
  const bytes = bytesIn(fields, number)
  return bytes.length === 8 ? Number(bytes.readBigUInt64LE()) / 1e6 : 0
}

/** Throws for a name that stands twice, which collectors resolve in different ways. */
function attributesIn(fields: readonly Field[], number: number): Attributes {
  const attributes: Record<string, Value> = {}
  for (const pair of messagesIn(fields, number)) {
    const name = bytesIn(pair, 1).toString()
    if (Object.hasOwn(attributes, name)) throw new Error(`The attribute ${name} stands twice.`)
    attributes[name] = valueIn(messagesIn(pair, 2)[0] ?? [])
  }
  return attributes
}

/** Throws for a whole number of 64 bits, which a collector does not compare with those of other senders. */
function fractionIn(bytes: Buffer): number {
  const value = bytes.readDoubleLE()
  if (Number.isInteger(value) && Math.abs(value) < 2 ** 63)
    throw new Error(`The whole number ${value} is a double.`)
  return value
}

function valueIn(value: readonly Field[]): Value {
  const [field] = value
  if (!field) return undefined
  switch (field.number) {
    case 1:
      return bytesIn(value, 1).toString()
    case 2:
      return numberIn(value, 2) === 1
    case 3:
      return numberIn(value, 3)
    case 4:
      return fractionIn(bytesIn(value, 4))
    case 5:
      return messagesIn(fieldsOf(bytesIn(value, 5)), 1).map(valueIn)
    default:
      return undefined
  }
}
