import { equal, ok } from 'node:assert/strict'

import type { GenerateEvent } from '../../generate/events.ts'

/** The events of a whole reply are in the order that `GenerateEvent` states. */
export function checkOrder(events: readonly GenerateEvent[]): void {
  const open = new Set<number>()
  let parts = 0
  equal(events[0]?.type, 'start', 'the first event is `start`')
  for (const event of events) {
    if (event.type === 'part') {
      equal(event.index, parts++, 'parts are numbered without gaps')
      open.add(event.index)
    } else if (event.type === 'end') ok(open.delete(event.index), `part ${event.index} is open`)
    else if (event.type === 'delta') ok(open.has(event.index), `part ${event.index} is open`)
    else if (event.type === 'stop') equal(open.size, 0, 'every part has ended before `stop`')
  }
  equal(events.filter(({ type }) => type === 'finish').length, 1, 'there is one `finish`')
  equal(events.at(-1)?.type, 'finish', 'nothing follows `finish`')
}
