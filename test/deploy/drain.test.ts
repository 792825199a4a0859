import { readFile } from 'node:fs/promises'
import { join } from 'node:path'

import { describe, expect, test } from 'vitest'
import { parse } from 'yaml'

import { readDrainTimes } from '../../src/cli/drain-times.ts'
import { defaultTimeouts } from '../../src/contract/limits.ts'
import { readProject, repository, serviceOf } from './compose/project.ts'

const textOf = (path: string) => readFile(join(repository, path), 'utf8')

/** The YAML of a page with these words. */
async function exampleOf(page: string, words: string): Promise<unknown> {
  const blocks = (await textOf(page)).matchAll(/```yaml\n([^]*?)```/g)
  const found = [...blocks].map(([, yaml = '']) => yaml).filter((yaml) => yaml.includes(words))
  expect(found).toHaveLength(1)
  return parse(found[0] ?? '')
}

interface PodSpec {
  readonly spec: {
    readonly terminationGracePeriodSeconds: number
    readonly containers: readonly { readonly env: readonly { name: string; value: string }[] }[]
  }
}

/** How long a supervisor waits, and the variable that the gateway gets, both in seconds. */
interface Grace {
  readonly waits: string | undefined
  readonly passed: string | undefined
}

const variable = 'TERMINATION_GRACE_PERIOD_SECONDS'

const supervisors: Readonly<Record<string, () => Promise<Grace>>> = {
  async 'gateway-1 of Compose'() {
    const { stop_grace_period: waits, environment } = serviceOf(await readProject(), 'gateway-1')
    return { waits: waits?.replace(/s$/, ''), passed: environment?.[variable] }
  },
  async 'gateway-2 of Compose'() {
    const { stop_grace_period: waits, environment } = serviceOf(await readProject(), 'gateway-2')
    return { waits: waits?.replace(/s$/, ''), passed: environment?.[variable] }
  },
  async systemd() {
    const unit = await textOf('deploy/systemd/dragoman.service')
    const numberOf = (pattern: RegExp) => pattern.exec(unit)?.[1]
    return {
      waits: numberOf(/^TimeoutStopSec=(\d+)s$/m),
      passed: numberOf(/^Environment=TERMINATION_GRACE_PERIOD_SECONDS=(\d+)$/m),
    }
  },
  async 'the chart'() {
    const values = parse(await textOf('deploy/helm/dragoman/values.yaml')) as {
      terminationGracePeriodSeconds: number
      drainDelaySeconds: number | null
    }
    expect(values.drainDelaySeconds).toBeNull()
    const template = await textOf('deploy/helm/dragoman/templates/deployment.yaml')
    const value = '{{ .Values.terminationGracePeriodSeconds'
    const waits = template.includes(`terminationGracePeriodSeconds: ${value} }}`)
    const passed = template.includes(`name: ${variable}, value: ${value} | quote }}`)
    const seconds = String(values.terminationGracePeriodSeconds)
    return { waits: waits ? seconds : undefined, passed: passed ? seconds : undefined }
  },
  async 'a pod of docs/ingress.md'() {
    const { spec } = (await exampleOf('docs/ingress.md', 'livenessProbe')) as PodSpec
    const [container] = spec.containers
    return {
      waits: String(spec.terminationGracePeriodSeconds),
      passed: container?.env.find(({ name }) => name === variable)?.value,
    }
  },
  async 'docker run of docs/deploy.md'() {
    const page = await textOf('docs/deploy.md')
    const [command] = /^docker run [^]*?```/m.exec(page) ?? []
    return {
      waits: /--stop-timeout (\d+)/.exec(command ?? '')?.[1],
      passed: /-e TERMINATION_GRACE_PERIOD_SECONDS=(\d+)/.exec(command ?? '')?.[1],
    }
  },
}

describe('what ships gives balancers 5 s and calls 55 s, and waits for their end', () => {
  test.each(Object.entries(supervisors))('%s', async (_, read) => {
    const { waits, passed } = await read()
    expect({ waits, passed }).toEqual({ waits: '65', passed: '65' })
    const times = readDrainTimes(
      { env: { [variable]: passed ?? '' } },
      defaultTimeouts.drainMs,
    )('SIGTERM')
    expect(times).toEqual({ delayMs: 5_000, timeoutMs: 55_000 })
  })
})

test('the page about shutdowns has the times of a gateway that is told nothing, and of one at a terminal', async () => {
  const page = await textOf('docs/operations.md')
  const rows = {
    '| `npx dragoman`, `npm start` |': { env: {} },
    '| `docker run`, pods of your own |': { env: {} },
    '| the same at a terminal, or by Ctrl-C |': { env: {}, isAttended: true },
  }
  for (const [start, surroundings] of Object.entries(rows)) {
    const times = readDrainTimes(surroundings, defaultTimeouts.drainMs)('SIGTERM')
    const row = page.split('\n').find((line) => line.startsWith(start))
    expect(row).toContain(`| ${times.delayMs / 1_000} s | ${times.timeoutMs / 1_000} s`)
  }
})
