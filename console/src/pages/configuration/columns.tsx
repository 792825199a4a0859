import type { Column } from '../../ui/Table.tsx'
import type { ConfigurationPageQuery } from './operations.generated.ts'

type Setting = ConfigurationPageQuery['configuration']['settings'][number]

const origins = {
  DEFAULT: 'default',
  ENVIRONMENT: 'environment',
  FILE: 'file',
  FLAG: 'flag',
  STORE: 'store',
} as const

/** The columns of the list of settings. */
export const settingColumns: readonly Column<Setting>[] = [
  {
    id: 'path',
    head: 'Setting',
    isHead: true,
    cell: ({ path }) => <code className="wrap-anywhere">{path}</code>,
  },
  {
    id: 'value',
    head: 'Value',
    cell: ({ value }) => (
      <code className="wrap-anywhere">
        {typeof value === 'string' ? value : JSON.stringify(value)}
      </code>
    ),
  },
  {
    id: 'origin',
    head: 'From',
    isWide: true,
    cell: ({ origin }) => (
      <span className={origin === 'DEFAULT' ? 'muted' : undefined}>{origins[origin]}</span>
    ),
  },
]
