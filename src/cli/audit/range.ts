import { parseTime } from '../../audit/lines.ts'
import { type Invocation, UsageError } from '../command.ts'

/** `--from` and `--to` of an export, in milliseconds since 1970. Throws `UsageError`. */
export function rangeOf({ options }: Pick<Invocation, 'options'>): {
  readonly from: number | undefined
  readonly to: number | undefined
} {
  return { from: timeOf('from', options['from']), to: timeOf('to', options['to']) }
}

function timeOf(name: string, text: string | undefined): number | undefined {
  const time = parseTime(text)
  if (!Number.isNaN(time)) return time
  throw new UsageError(`"${text}" is not a time for --${name}: use 2030-01-31T00:00:00Z.`)
}
