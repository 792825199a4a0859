import { describe, expect, test } from 'vitest'

import { dailyRows } from '../daily-rows.ts'
import { canonicalWindow, isZone, periodAt } from '../../src/limits/windows.ts'

const iso = (at: number | undefined) => (at === undefined ? undefined : new Date(at).toISOString())

describe('the period of a budget', () => {
  test.each([
    [
      'day',
      'UTC',
      '2026-11-29T15:43:00Z',
      '2026-11-29',
      '2026-11-29T00:00:00Z',
      '2026-11-30T00:00:00Z',
    ],
    [
      'day',
      'UTC',
      '2026-11-29T00:00:00Z',
      '2026-11-29',
      '2026-11-29T00:00:00Z',
      '2026-11-30T00:00:00Z',
    ],
    [
      'day',
      'Europe/Berlin',
      '2026-11-28T23:30:00Z',
      '2026-11-29',
      '2026-11-28T23:00:00Z',
      '2026-11-29T23:00:00Z',
    ],
    // Clocks go forward: a day of 23 hours. They go back: a day of 25 hours.
    [
      'day',
      'Europe/Berlin',
      '2026-03-29T12:00:00Z',
      '2026-03-29',
      '2026-03-28T23:00:00Z',
      '2026-03-29T22:00:00Z',
    ],
    [
      'day',
      'Europe/Berlin',
      '2026-10-25T12:00:00Z',
      '2026-10-25',
      '2026-10-24T22:00:00Z',
      '2026-10-25T23:00:00Z',
    ],
    // Cairo's clocks go forward at midnight: the day begins at one.
    [
      'day',
      'Africa/Cairo',
      '2026-04-24T12:00:00Z',
      '2026-04-24',
      '2026-04-23T22:00:00Z',
      '2026-04-24T21:00:00Z',
    ],
    // Zones far from UTC, and those of parts of an hour.
    [
      'day',
      'Pacific/Kiritimati',
      '2026-01-01T09:59:59Z',
      '2026-01-01',
      '2025-12-31T10:00:00Z',
      '2026-01-01T10:00:00Z',
    ],
    [
      'day',
      'Pacific/Pago_Pago',
      '2026-01-01T10:59:59Z',
      '2025-12-31',
      '2025-12-31T11:00:00Z',
      '2026-01-01T11:00:00Z',
    ],
    [
      'day',
      'Asia/Kathmandu',
      '2026-06-01T18:15:00Z',
      '2026-06-02',
      '2026-06-01T18:15:00Z',
      '2026-06-02T18:15:00Z',
    ],
    // Samoa left out the 30th of December 2011.
    [
      'day',
      'Pacific/Apia',
      '2011-12-30T09:59:00Z',
      '2011-12-29',
      '2011-12-29T10:00:00Z',
      '2011-12-30T10:00:00Z',
    ],
    [
      'week',
      'UTC',
      '2026-11-29T12:00:00Z',
      '2026-11-23',
      '2026-11-23T00:00:00Z',
      '2026-11-30T00:00:00Z',
    ],
    [
      'week',
      'UTC',
      '2026-11-30T00:00:00Z',
      '2026-11-30',
      '2026-11-30T00:00:00Z',
      '2026-12-07T00:00:00Z',
    ],
    [
      'week',
      'America/New_York',
      '2026-03-08T12:00:00Z',
      '2026-03-02',
      '2026-03-02T05:00:00Z',
      '2026-03-09T04:00:00Z',
    ],
    [
      'month',
      'UTC',
      '2028-02-29T12:00:00Z',
      '2028-02',
      '2028-02-01T00:00:00Z',
      '2028-03-01T00:00:00Z',
    ],
    [
      'month',
      'Europe/Berlin',
      '2026-12-31T23:00:00Z',
      '2027-01',
      '2026-12-31T23:00:00Z',
      '2027-01-31T23:00:00Z',
    ],
    [
      'month',
      'Europe/Berlin',
      '2026-03-15T00:00:00Z',
      '2026-03',
      '2026-02-28T23:00:00Z',
      '2026-03-31T22:00:00Z',
    ],
    [
      '12h',
      'Europe/Berlin',
      '2026-11-29T15:43:00Z',
      '2026-11-29T12:00:00.000Z',
      '2026-11-29T12:00:00Z',
      '2026-11-30T00:00:00Z',
    ],
    [
      '1m',
      'UTC',
      '2026-11-29T15:43:21Z',
      '2026-11-29T15:43:00.000Z',
      '2026-11-29T15:43:00Z',
      '2026-11-29T15:44:00Z',
    ],
  ])('%s in %s at %s is %s', (window, zone, at, name, startsAt, endsAt) => {
    const period = periodAt(window, zone, Date.parse(at))
    expect([period.name, iso(period.startsAt), iso(period.endsAt)]).toEqual([
      name,
      iso(Date.parse(startsAt)),
      iso(Date.parse(endsAt)),
    ])
  })

  test('a total never ends', () => {
    expect(periodAt('total', 'UTC', 1e12)).toEqual({
      name: 'total',
      startsAt: 0,
      endsAt: undefined,
    })
  })

  const zones = [
    'UTC',
    'Europe/Berlin',
    'America/Sao_Paulo',
    'Australia/Lord_Howe',
    'America/St_Johns',
  ]

  test.each(dailyRows(zones, 1))(
    'every moment of two years in %s is in one period, and periods follow each other',
    (zone) => {
      for (const window of ['day', 'week', 'month']) {
        let at = Date.parse('2025-12-30T00:00:00Z')
        const end = Date.parse('2028-01-02T00:00:00Z')
        let previous: number | undefined
        while (at < end) {
          const { name, startsAt, endsAt = 0 } = periodAt(window, zone, at)
          if (previous !== undefined) expect(startsAt).toBe(previous)
          expect(periodAt(window, zone, endsAt - 1).name).toBe(name)
          expect(periodAt(window, zone, endsAt).name).not.toBe(name)
          previous = endsAt
          at = endsAt
        }
      }
    },
  )
})

test.each([
  ['60s', '1m'],
  ['90s', '90s'],
  ['60m', '1h'],
  ['24h', '1d'],
  ['7d', '7d'],
  ['day', 'day'],
])('the window %s is %s', (window, canonical) => {
  expect(canonicalWindow(window)).toBe(canonical)
})

test('zones are those that the process knows', () => {
  expect(['UTC', 'Europe/Berlin', 'Mars/Olympus', ''].map(isZone)).toEqual([
    true,
    true,
    false,
    false,
  ])
})
