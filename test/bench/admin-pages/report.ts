/** The figures for people, and whether they hold. */

import { align } from '../align.ts'
import { printLine } from '../run-bench.ts'
import type { Stalls } from './meter.ts'
import type { Measured, Times } from './pages.ts'

/** The longest first page and the longest turn of the event loop, in milliseconds. */
const limits = { page: 50, turn: 20 }

/** A line of a table. A row without a page is about the event loop alone. */
export interface Row extends Partial<Omit<Measured, keyof Stalls>>, Stalls {
  readonly name: string
}

const columns = [
  'list',
  'first, median',
  'CPU median',
  'CPU longest',
  'middle, median',
  'CPU median',
  'CPU longest',
  'turn, CPU longest',
  'GC, longest',
  '',
]

/** Prints a table in milliseconds. Returns whether all of it holds. */
export function printRows(title: string, rows: readonly Row[]): boolean {
  printLine(`${title}\n${align([columns, ...rows.map(cells)])}\n`)
  return rows.every(holds)
}

/** Other processes of the machine count for the clock, so that the CPU decides. */
function holds({ first, longestTurn, isLong = false }: Row): boolean {
  const isQuick = isLong || (first?.cpuLongest ?? 0) < limits.page
  return isQuick && longestTurn < limits.turn
}

function cells(row: Row): string[] {
  const { name, first, middle, longestTurn, longestPause } = row
  return [
    name,
    ...times(first),
    ...times(middle),
    shown(longestTurn),
    shown(longestPause),
    holds(row) ? 'holds' : 'FAILS',
  ]
}

function times(of: Times | undefined): string[] {
  return of ? [of.median, of.cpuMedian, of.cpuLongest].map(shown) : ['-', '-', '-']
}

function shown(milliseconds: number): string {
  return milliseconds.toFixed(1)
}
