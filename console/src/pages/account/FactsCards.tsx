import { FailedShare } from '../../accounts/FailedShare.tsx'
import { duration } from '../../format/durations.ts'
import { count } from '../../format/numbers.ts'
import { Card } from '../../ui/Card.tsx'
import { Definition } from '../../ui/Definition.tsx'
import { Time } from '../../ui/Time.tsx'
import type { OneAccount } from './types.ts'

/** What the account does now. */
export function NowCard({ account }: { readonly account: OneAccount }) {
  const { inFlight, processes, recentCalls, priority, weight, speaks, transport, models } = account
  const calls = processes.reduce((total, one) => total + one.calls, 0)
  const failures = processes.reduce((total, one) => total + one.failures, 0)
  const most = transport?.maxConcurrent
  return (
    <Card title="Now">
      <Definition
        items={[
          [
            'In flight',
            typeof most === 'number'
              ? `${count(inFlight)} of ${count(most)} each`
              : count(inFlight),
          ],
          ['Calls, last 5 minutes', count(recentCalls.calls)],
          ['Failed in 5 minutes', <FailedShare key="recent" {...recentCalls} />],
          recentCalls.calls > 0 && ['First byte, median and p95', timesOf(recentCalls)],
          ['Calls since the start', count(calls)],
          [
            'Failed since the start',
            <FailedShare key="failed" failures={failures} calls={calls} />,
          ],
          [
            'Priority, weight',
            typeof priority === 'number' ? `${priority}, ${weight ?? 'unknown'}` : null,
          ],
          ['Speaks', speaks.join(', ') || null],
          ['Models', count(models.length)],
        ]}
      />
    </Card>
  )
}

function timesOf({ p50Ms, p95Ms }: OneAccount['recentCalls']): string | null {
  if (typeof p50Ms !== 'number' || typeof p95Ms !== 'number') return null
  return `${duration(p50Ms)}, ${duration(p95Ms)}`
}

/** How the account is set up. */
export function SettingsCard({ account }: { readonly account: OneAccount }) {
  const { baseUrl, managedBy, credential, transport, replyModel, changedAt, version } = account
  const { baseUrls, region, project, location, apiVersion, anthropicVersion } = account
  return (
    <Card title="Settings">
      <Definition
        items={[
          ['Managed by', managedBy === 'FILE' ? 'the configuration file' : 'the store'],
          [
            'Address',
            baseUrl ? (
              <span className="mono" key="url">
                {baseUrl}
              </span>
            ) : null,
          ],
          ...Object.entries(baseUrls ?? {}).map(
            ([dialect, url]) =>
              [
                `Address in ${dialect}`,
                <span className="mono" key={dialect}>
                  {String(url)}
                </span>,
              ] as const,
          ),
          !!region && ['Region', region],
          !!project && ['Project', project],
          !!location && ['Location', location],
          !!apiVersion && ['API version', apiVersion],
          !!anthropicVersion && ['Version of Claude’s API', anthropicVersion],
          ...identityOf(account),
          ['Credential', <Credential key="credential" credential={credential} />],
          ['Proxy', proxyOf(transport?.proxy)],
          ['Headers of its own', transport && (transport.headers.join(', ') || 'none')],
          [
            'Model in replies',
            replyModel === 'CLIENT'
              ? 'as the client named it'
              : replyModel && 'as the account names it',
          ],
          typeof version === 'number' && ['Version', count(version)],
          changedAt ? ['Changed', <Time key="changed" at={changedAt} />] : false,
          ...(transport?.authorities ?? []).map(
            ({ subject, expiresAt }) =>
              [
                'Authority',
                <span key={subject}>
                  {subject}, until <Time at={expiresAt} />
                </span>,
              ] as const,
          ),
          transport?.clientCertificate
            ? [
                'Client certificate',
                <span key="certificate">
                  {transport.clientCertificate.subject}, until{' '}
                  <Time at={transport.clientCertificate.expiresAt} />
                </span>,
              ]
            : false,
        ]}
      />
    </Card>
  )
}

/** Who the account is at a cloud, and what watches over its calls there. */
function identityOf({ entra, googleAuth, aws, guardrail }: OneAccount): [string, string][] {
  const facts = [
    ['Microsoft Entra', entra],
    ['Google Cloud', googleAuth],
    ['AWS', aws],
    ['Guardrail', guardrail],
  ] as const
  return facts.flatMap(([name, value]) => {
    if (!value) return []
    const members = Object.entries(value).map(([member, text]) => `${member} ${String(text)}`)
    return [[name, members.join(', ') || 'a service account']]
  })
}

function Credential({ credential }: { readonly credential: OneAccount['credential'] }) {
  const { isSet, source, hint, changedAt } = credential
  if (!isSet) return <>none</>
  return (
    <>
      set
      {hint && (
        <>
          , ends in <span className="mono">{hint}</span>
        </>
      )}
      {source && <span className="muted">, {sources[source]}</span>}
      {changedAt && (
        <span className="muted">
          , of <Time at={changedAt} />
        </span>
      )}
    </>
  )
}

const sources = {
  CONFIGURATION: 'configuration',
  ENV: 'environment',
  FILE: 'a file',
  STORE: 'sealed in the store',
} as const

function proxyOf(proxy: string | null | undefined): string {
  if (proxy === 'none') return 'none'
  return proxy ?? 'as the environment says'
}
