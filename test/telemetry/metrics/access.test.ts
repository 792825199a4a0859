import { describe, expect, test } from 'vitest'

import { metricsStage, sendRaw } from './stage.ts'

/** What a proxy on this machine adds: its clients are elsewhere. */
const byProxy = { 'x-forwarded-for': '203.0.113.9' }

describe('/metrics', () => {
  test('is for this machine, and for others with a token of any role', async () => {
    await using stage = await metricsStage({ accounts: [] })
    const withToken = { authorization: `Bearer ${stage.token}` }
    expect((await stage.scrape()).status).toBe(200)
    expect((await stage.scrape(byProxy)).status).toBe(401)
    expect((await stage.scrape({ ...byProxy, authorization: 'Bearer dga_wrong' })).status).toBe(401)
    expect((await stage.scrape({ ...byProxy, ...withToken })).status).toBe(200)
    // A page of another site that has pointed its name to this address reads nothing.
    expect(await sendRaw(stage.adminUrl, 'GET', '/metrics', { host: 'evil.example' })).toBe(421)
    const foreign = { origin: 'http://evil.example', ...withToken }
    expect((await stage.scrape(foreign)).status).toBe(403)
    expect(await sendRaw(stage.adminUrl, 'POST', '/metrics')).toBe(405)
    // Nor is it on the address of clients.
    expect(await stage.call('/metrics')).toBe(404)
  })

  test('needs a token from this machine too where the configuration says so', async () => {
    const telemetry = { metrics: { requireToken: true } }
    await using stage = await metricsStage({ accounts: [], telemetry })
    expect((await stage.scrape()).status).toBe(401)
    for (const path of ['/metrics?x', '/metrics/', '//metrics', '/%6detrics', '/./metrics'])
      expect(await sendRaw(stage.adminUrl, 'GET', path), path).not.toBe(200)
    expect((await stage.scrape({ authorization: `Bearer ${stage.token}` })).status).toBe(200)
    expect(await sendRaw(stage.adminUrl, 'GET', '/readyz?verbose')).not.toBe(401)
  })

  test('needs none where the configuration says so, and readiness keeps its details', async () => {
    const telemetry = { metrics: { requireToken: false } }
    await using stage = await metricsStage({ accounts: [], telemetry })
    expect((await stage.scrape(byProxy)).status).toBe(200)
    expect(await sendRaw(stage.adminUrl, 'GET', '/readyz?verbose', byProxy)).toBe(401)
    expect(await sendRaw(stage.adminUrl, 'GET', '/metrics', { host: 'evil.example' })).toBe(421)
  })

  test('answers 503 where the other processes do not answer: its sums would seem to fall', async () => {
    await using stage = await metricsStage({ accounts: [] })
    stage.metrics.gather = () => Promise.reject(new Error('away'))
    expect((await stage.scrape()).status).toBe(503)
  })
})
