import { type Span, SpanKind, SpanStatusCode } from '@opentelemetry/api'

import type { StoreRead } from '../../contract/trace.ts'
import type { Maker } from './maker.ts'

/** Times by `performance.now()`. */
interface Read {
  readonly name: StoreRead
  readonly startedAt: number
  endedAt: number | undefined
  failed: boolean
}

/** A call may refer to any number of things. */
const mostReads = 20

/** The look-ups in the store while an account is chosen. */
export class StoreReads {
  readonly #reads: Read[] = []

  /** Notes a look-up that ends with `read`. */
  add(name: StoreRead, read: Promise<unknown>): void {
    if (this.#reads.length === mostReads) return
    const noted: Read = { name, startedAt: performance.now(), endedAt: undefined, failed: false }
    this.#reads.push(noted)
    const end = () => (noted.endedAt = performance.now())
    read.then(end, () => {
      noted.failed = true
      end()
    })
  }

  /** Makes their spans, below that of the stage. */
  addSpans({ startChild, clock, store = '' }: Maker, stage: Span, stageEndedAt: number): void {
    for (const { name, startedAt, endedAt, failed } of this.#reads) {
      const attributes = { 'db.system.name': store, 'db.operation.name': name }
      const startTime = clock(startedAt)
      const span = startChild(name, { kind: SpanKind.CLIENT, startTime, attributes }, stage)
      if (failed) span.setStatus({ code: SpanStatusCode.ERROR })
      span.end(clock(endedAt ?? stageEndedAt))
    }
  }
}
