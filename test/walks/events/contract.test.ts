import { describe, expect, test } from 'vitest'

import type { GatewayPlugin } from '../../../src/contract/plugin.ts'
import { pluginContract } from '../../../src/testing/contracts/plugin.ts'
import { failingAt, rewriting, without } from './guardrails.ts'

describe('a guardrail that writes other words keeps the contract of plugins', () => {
  const make = () => rewriting('one', 'two')
  for (const check of pluginContract({ make })) test(check.name, check.run)
})

async function brokenBy(make: () => GatewayPlugin): Promise<string[]> {
  const checks = pluginContract({ make })
  const results = await Promise.allSettled(checks.map((check) => check.run()))
  return checks.filter((_, index) => results[index]?.status === 'rejected').map(({ name }) => name)
}

test.each([
  { what: 'swallows the end', make: () => without('finish') },
  { what: 'fails at the end', make: () => failingAt('finish', new Error('oh')) },
])('one that $what breaks it', async ({ make }) => {
  const broken = await brokenBy(make)
  expect(broken).toContain('lets every dialect through, streamed')
  expect(broken).toContain('lets every dialect through, as JSON')
})
