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
    width: '50%',
    cell: ({ path }) => (
      <code className="wrap-anywhere" title={path}>
        {path}
      </code>
    ),
  },
  {
    id: 'value',
    head: 'Value',
    cell: ({ value }) => {
      const text = typeof value === 'string' ? value : JSON.stringify(value)
      return (
        <code className="wrap-anywhere" title={text}>
          {text}
        </code>
      )
    },
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
