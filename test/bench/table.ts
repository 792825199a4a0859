/** The figures for people. */

import { align } from './align.ts'
import type { Row } from './summary.ts'
import type { Target } from './targets.ts'
import { workloadTitles, type WorkloadName } from './workloads.ts'

const columns = [
  'subject',
  'req/s',
  'x bare',
  'x Portkey',
  'x former',
  'x former by CPU',
  'CPU us/req',
  'x bare by CPU',
  'its core',
  'load core',
  'added p50 us',
  'added p99 us',
  'counted',
  '',
]

export function printTables(rows: Row[]): string {
  const workloads = [...new Set(rows.map(({ workload }) => workload))]
  return workloads.map((workload) => printTable(workload, rows)).join('\n')
}

function printTable(workload: WorkloadName, rows: Row[]): string {
  const lines = rows.filter((row) => row.workload === workload).map(cells)
  return `${workloadTitles[workload]}\n${align([columns, ...lines])}\n`
}

function cells(row: Row): string[] {
  const { throughput, toBare, toPortkey, toFormer } = row
  if (throughput === undefined) {
    const note = `the upstream alone: p50 ${whole(row.p50Micros)}, p99 ${whole(row.p99Micros)}`
    return [row.subject, ...Array.from({ length: columns.length - 2 }, () => '-'), note]
  }
  return [
    row.subject,
    whole(throughput.requestsPerSecond),
    ratio(toBare?.requests),
    ratio(toPortkey?.requests),
    ratio(toFormer?.requests),
    ratio(toFormer?.cpu),
    throughput.cpuMicros.toFixed(1),
    ratio(toBare?.cpu),
    percent(throughput.subjectShare),
    percent(throughput.loadShare),
    whole(row.addedP50Micros),
    whole(row.addedP99Micros),
    `${throughput.counted}/${throughput.rounds}`,
    throughput.verdict === 'counted' ? '' : [throughput.verdict, ...throughput.failures].join(': '),
  ]
}

export function printTargets(targets: Target[]): string {
  const lines = targets.map(({ claim, value, basis, met }) => {
    if (value === undefined) return `  not measured  ${claim}`
    return `  ${met ? 'met         ' : 'MISSED      '}  ${claim}: ${value.toFixed(2)} (${basis})`
  })
  return `targets\n${lines.join('\n')}\n`
}

function whole(value: number): string {
  return Math.round(value).toLocaleString('en-US')
}

function ratio(value: number | undefined): string {
  return value === undefined ? '-' : value.toFixed(2)
}

function percent(share: number): string {
  return `${Math.round(share * 100)}%`
}
