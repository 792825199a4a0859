import { afterAll, beforeAll, describe, expect, test } from 'vitest'

import { dailyRows } from '../daily-rows.ts'
import type { TestGatewayOptions } from '../../src/testing/gateway.ts'
import { type ProbeTarget, violationOf } from './probe.ts'
import { type Encoding, type FieldRow, casesOf } from './rows.ts'
import { type AccountKind, type ProbeStage, probeStage } from './stage.ts'

/** What a table of rows is probed against. */
export interface TableSettings {
  readonly target: ProbeTarget
  /** The kinds of accounts; the verdicts are the same with each. */
  readonly accounts: readonly AccountKind[]
  readonly rows: readonly FieldRow[]
  readonly options?: Omit<TestGatewayOptions, 'accounts'>
}

/**
 * Generates one test for each row, encoding and kind of account: it sends every case of the row over
 * a socket, and lists all violations of the row's sentence.
 */
export function describeTable({ target, accounts, rows, options }: TableSettings): void {
  describe.each(accounts)(`${target.title}, on an account of $dialect`, (kind) => {
    let stage: ProbeStage
    let path = ''
    beforeAll(async () => {
      stage = await probeStage(kind, options)
      path = typeof target.path === 'string' ? target.path : await target.path(stage)
    })
    afterAll(() => stage[Symbol.asyncDispose]())

    for (const encoding of target.encodings) {
      test.each(
        dailyRows(
          rowsIn(encoding, rows),
          accounts.indexOf(kind) + target.encodings.indexOf(encoding),
        ),
      )(`$field in ${encoding}: $says`, async (row) => {
        const cases = casesOf(row, encoding)
        const violations: (string | undefined)[] = []
        for (const one of cases) {
          violations.push(await violationOf(stage, path, target, { row, one, encoding }))
        }
        expect(violations.filter((one) => one !== undefined)).toEqual([])
        expect(cases.length).toBeGreaterThan(1)
      })
    }
  })
}

function rowsIn(encoding: Encoding, rows: readonly FieldRow[]): FieldRow[] {
  return rows.filter(({ encodings }) => !encodings || encodings.includes(encoding))
}
