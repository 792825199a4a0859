import { useState } from 'react'

import { Card } from '../../ui/Card.tsx'
import { Filter } from '../../ui/Select.tsx'
import { clients } from './clients.ts'
import type { PlaygroundQuery } from './operations.generated.ts'

type Configuration = PlaygroundQuery['configuration']

/** How a client is set up to call this gateway. */
export function ClientsCard({
  configuration,
}: {
  readonly configuration: Configuration | undefined
}) {
  const [name, setName] = useState(clients[0]!.name)
  const url = configuration && urlOf(configuration)
  const client = clients.find((one) => one.name === name) ?? clients[0]!
  return (
    <Card
      title="Set up a client"
      aside={
        <Filter
          label="Client"
          value={name}
          options={clients.map((one) => one.name)}
          onChange={setName}
        />
      }
    >
      {url === undefined ? (
        <p className="muted">The address of the gateway is not known.</p>
      ) : (
        <>
          {/* oxlint-disable-next-line jsx-a11y/no-noninteractive-tabindex -- A region that scrolls can be reached by keys. */}
          <pre className="json" tabIndex={0} role="region" aria-label={`Set-up of ${client.name}`}>
            {client.text(url)}
          </pre>
          <p className="secondary">
            The key is in the variable <code>DRAGOMAN_KEY</code>; MODEL is one of the models that it
            may use.
          </p>
        </>
      )}
    </Card>
  )
}

/** Where clients reach the gateway: `publicUrl`, or the address that it listens at. */
function urlOf({ listen, publicUrl }: Configuration): string | undefined {
  const known = publicUrl.find(({ path }) => path === 'publicUrl')?.value
  if (typeof known === 'string' && known !== '') return known.replace(/\/+$/, '')
  const [host, port] = ['listen.host', 'listen.port'].map(
    (name) => listen.find(({ path }) => path === name)?.value,
  )
  if (typeof host !== 'string' || typeof port !== 'number') return undefined
  return `http://${host.includes(':') ? `[${host}]` : host}:${port}`
}
