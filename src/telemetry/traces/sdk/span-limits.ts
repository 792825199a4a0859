import type { Attributes } from '@opentelemetry/api'
import type { ReadableSpan, SpanLimits } from '@opentelemetry/sdk-trace'

/** The limits of the specification, where the environment has none. */
const usual: Required<SpanLimits> = {
  attributeCountLimit: 128,
  attributeValueLengthLimit: Infinity,
  eventCountLimit: 128,
  linkCountLimit: 128,
  attributePerEventCountLimit: 128,
  attributePerLinkCountLimit: 128,
}

/** The limits of the environment, completed. */
export function completeLimits(limits: SpanLimits): Required<SpanLimits> {
  return { ...usual, ...limits }
}

/** The parts of a span that limits concern. */
type Limited = {
  -readonly [
    K in
      | 'attributes'
      | 'events'
      | 'links'
      | 'droppedAttributesCount'
      | 'droppedEventsCount'
      | 'droppedLinksCount'
  ]: ReadableSpan[K]
} & {
  /** The attributes, not merged. */
  readonly attributeParts: readonly Attributes[]
}

/** Leaves out of a span what exceeds the limits: its last attributes, its first events and links. */
export function applyLimits(span: Limited, limits: Required<SpanLimits>): void {
  const { attributeCountLimit, attributePerEventCountLimit, attributePerLinkCountLimit } = limits
  const { attributeValueLengthLimit: longest, eventCountLimit, linkCountLimit } = limits
  if (longest < Infinity || countNames(span.attributeParts) > attributeCountLimit) {
    const { attributes, dropped } = limitAttributes(span.attributes, attributeCountLimit, longest)
    span.attributes = attributes
    span.droppedAttributesCount = dropped
  }
  if (span.events.length > 0) {
    const events = lastOf(span.events, eventCountLimit)
    span.droppedEventsCount = span.events.length - events.length
    span.events = events.map((event) => limitPart(event, attributePerEventCountLimit, longest))
  }
  if (span.links.length > 0) {
    const links = lastOf(span.links, linkCountLimit)
    span.droppedLinksCount = span.links.length - links.length
    span.links = links.map((link) => limitPart(link, attributePerLinkCountLimit, longest))
  }
}

/** The most attributes that a span can have, as nearly always below the limit: some may be without a value. */
function countNames(parts: readonly Attributes[]): number {
  let count = 0
  for (const part of parts) for (const _ in part) count++
  return count
}

function lastOf<T>(all: T[], most: number): T[] {
  return all.length > most ? all.slice(all.length - most) : all
}

function limitPart<Part extends { readonly attributes?: Attributes }>(
  part: Part,
  most: number,
  longest: number,
): Part {
  const { attributes, dropped } = limitAttributes(part.attributes ?? {}, most, longest)
  return { ...part, attributes, ...(dropped > 0 && { droppedAttributesCount: dropped }) }
}

interface LimitedAttributes {
  readonly attributes: Attributes
  readonly dropped: number
}

function limitAttributes(all: Attributes, most: number, longest: number): LimitedAttributes {
  if (isWithin(all, most, longest)) return { attributes: all, dropped: 0 }
  const present = Object.entries(all).filter(([, value]) => value !== undefined)
  const kept = present.slice(0, most).map(([name, value]) => [name, limitValue(value, longest)])
  return { attributes: Object.fromEntries(kept), dropped: present.length - kept.length }
}

/** Whether no limit cuts the attributes, as nearly always. Those without a value do not count. */
function isWithin(attributes: Attributes, most: number, longest: number): boolean {
  let count = 0
  for (const name in attributes) {
    const value = attributes[name]
    if (value === undefined) continue
    if (++count > most) return false
    if (longest < Infinity && limitValue(value, longest) !== value) return false
  }
  return true
}

function limitValue(value: Attributes[string], longest: number): Attributes[string] {
  if (typeof value === 'string') return value.length > longest ? value.slice(0, longest) : value
  if (!Array.isArray(value) || longest === Infinity) return value
  return value.map((one) => (typeof one === 'string' ? one.slice(0, longest) : one))
}
