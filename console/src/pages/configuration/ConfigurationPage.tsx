import { getRouteApi, useNavigate } from '@tanstack/react-router'
import { useState } from 'react'

import { useChanges } from '../../api/changes.ts'
import { useAnswer } from '../../api/query.ts'
import { useWhyNot } from '../../api/session.ts'
import { RefusalNotice } from '../../ui/ActDialog.tsx'
import { Button } from '../../ui/Button.tsx'
import { Card } from '../../ui/Card.tsx'
import { Definition } from '../../ui/Definition.tsx'
import { FieldFilters } from '../../ui/FieldFilters.tsx'
import { AnswerNotices, Notice, isWhole } from '../../ui/Notice.tsx'
import { PageHead } from '../../ui/PageHead.tsx'
import { Table } from '../../ui/Table.tsx'
import { Time } from '../../ui/Time.tsx'
import { Empty } from '../../ui/Empty.tsx'
import { Drain, Reload } from './acts.tsx'
import { CapturesCard } from './CapturesCard.tsx'
import { settingColumns } from './columns.tsx'
import { ConfigurationPage as PageQuery } from './operations.generated.ts'
import { ProcessesCard } from './ProcessesCard.tsx'

const route = getRouteApi('/configuration')

const names = {
  configuration: 'the configuration',
  gateway: 'the processes',
  captures: 'the captures',
}

/** Which settings take effect, from where, and do all processes have them? */
export function ConfigurationPage() {
  const { section } = route.useSearch()
  const navigate = useNavigate({ from: '/configuration' })
  const [open, setOpen] = useState<'reload' | { readonly processId: string | undefined }>()
  const page = useAnswer(PageQuery, { section: section ?? null }, { every: 10_000 })
  useChanges(['CONFIGURATION', 'CAPTURES'], page.refresh)
  const { configuration, gateway, captures } = page.data ?? {}
  const whyNot = useWhyNot('reloadConfiguration')
  const dialog = { onClose: () => setOpen(undefined), onDone: page.refresh }
  const { problems = [], needsRestart = [], settings, settingsCount = 0 } = configuration ?? {}
  return (
    <>
      <PageHead
        title="Configuration"
        acts={
          <Button kind="main" whyNot={whyNot} onClick={() => setOpen('reload')}>
            Reload the file
          </Button>
        }
      />
      <AnswerNotices page={page} names={names} />
      {problems.length > 0 && (
        <RefusalNotice refusal={{ message: 'The last reload was refused.', problems }} />
      )}
      {needsRestart.length > 0 && (
        <Notice tone="warn">
          These settings of the file take effect after a restart: {needsRestart.join(', ')}.
        </Notice>
      )}
      <div className="stack">
        <Card title="File">
          <Definition
            items={[
              [
                'File',
                configuration ? (configuration.file ?? 'none: defaults and environment') : null,
              ],
              ['Loaded', configuration ? <Time key="at" at={configuration.loadedAt} /> : null],
              [
                'Hash',
                configuration ? <code key="hash">{configuration.hash.slice(0, 16)}</code> : null,
              ],
              ['Version', gateway?.version ?? null],
              ['Store', storeText(gateway?.store)],
            ]}
          />
        </Card>
        <ProcessesCard
          processes={gateway?.processes}
          answering={gateway?.processId}
          isComplete={gateway?.processesComplete}
          isLoading={page.isLoading}
          isWhole={isWhole(page, 'gateway')}
          onDrain={(processId) => setOpen({ processId })}
        />
        <CapturesCard
          captures={captures ?? undefined}
          isLoading={page.isLoading}
          isWhole={isWhole(page, 'captures')}
          onDone={page.refresh}
        />
        <Card
          isFlush
          title="Settings"
          aside={
            <FieldFilters
              fields={[['section', 'Section']]}
              values={{ section }}
              onChange={(search) => void navigate({ search })}
            />
          }
        >
          <Table
            label="Settings"
            rows={settings}
            rowKey={({ path }) => path}
            columns={settingColumns}
            rowHeight={34}
            isLoading={page.isLoading}
            isWhole={isWhole(page, 'configuration')}
            empty={<Empty title="There is no such section" />}
          />
          {settings && settings.length < settingsCount && (
            <Notice>
              These are {settings.length} of {settingsCount} settings: name a section to see others.
            </Notice>
          )}
        </Card>
      </div>
      {open === 'reload' && <Reload {...dialog} />}
      {open !== undefined && open !== 'reload' && <Drain {...dialog} {...open} />}
    </>
  )
}

function storeText(
  store: { readonly kind: string; readonly reachable: boolean } | undefined,
): string | null {
  if (!store) return null
  return store.reachable ? store.kind.toLowerCase() : `${store.kind.toLowerCase()}, does not answer`
}
