import { expect, test } from 'vitest'

import { Spool } from '../../src/body/spool/spool.ts'
import { until } from '../../src/testing/until.ts'
import { formOf } from './forms.ts'
import { read } from './reading.ts'

/** A spool whose disk is done with a chunk when the test says so. */
class SlowSpool extends Spool {
  readonly waiting: (() => void)[] = []

  override begin(keyId: string) {
    const spooled = super.begin(keyId)
    const write = spooled.write.bind(spooled)
    spooled.write = async (chunk) => {
      await write(chunk)
      await new Promise<void>((resolve) => this.waiting.push(resolve))
    }
    return spooled
  }
}

const body = formOf([{ name: 'image', filename: 'a.png', content: Buffer.alloc(2_000_000) }])

test('a client is asked to wait while the disk is behind, and not taken for silent', async () => {
  const spool = new SlowSpool({ spoolBytes: 10_000_000 })
  let taken = 0
  const source = (function* () {
    for (let start = 0; start < body.length; start += 100_000) {
      taken++
      yield body.subarray(start, start + 100_000)
    }
  })()
  const reading = read(source, { spool, limits: { requestBodyMs: 60 } })
  await until(() => spool.waiting.length === 1)
  const waitedFrom = performance.now()
  await until(() => performance.now() - waitedFrom > 200)
  expect(spool.waiting).toHaveLength(1)
  // What its stream holds ready, and no more.
  expect(taken).toBeLessThan(5)
  let finished = false
  void reading.then(() => (finished = true))
  await until(() => {
    for (const done of spool.waiting.splice(0)) done()
    return finished
  })
  using kept = await reading
  expect(kept.form.size).toBe(body.length)
})
