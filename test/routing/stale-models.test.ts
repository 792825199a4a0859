import { describe, expect, test } from 'vitest'

import { openStore } from '../../src/stores/open.ts'
import { breakable } from '../../src/testing/breakable-store.ts'
import { until } from '../../src/testing/until.ts'
import { form } from '../walks/streams/forms.ts'
import { startPair } from './pair.ts'

const forms = [form.chat, form.responses, form.messages, form.generate]

describe.each(forms)('$name', (own) => {
  test('while the store is away a known model is served and an unknown one is told to come again', async () => {
    const store = breakable(await openStore('memory:', { cwd: '.' }))
    await using pair = await startPair(own, { store, a: { models: ['m'] }, b: { models: ['m'] } })
    const unknown = () => pair.ask({ model: 'of-another-process' })
    expect(await unknown()).toMatchObject({ status: 404 })

    store.broken.reads = true
    await until(async () => (await unknown()).status !== 404)

    const refused = await unknown()
    expect(refused).toMatchObject({ status: 503 })
    expect(refused.headers.get('x-should-retry')).toBe('true')
    expect(refused.headers.get('retry-after')).toBe('1')
    expect(JSON.stringify(refused.json)).toContain('cannot be found out')
    expect(await pair.ask()).toMatchObject({ status: 200 })

    store.broken.reads = false
    await until(async () => (await unknown()).status === 404)
  })
})
