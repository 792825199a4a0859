import { useRef, useState } from 'react'

import { useAnswer } from '../api/query.ts'
import { Bars } from '../ui/Bars.tsx'
import { useCopy } from '../ui/copy.ts'
import { AnswerNotices } from '../ui/Notice.tsx'
import { Button } from '../ui/Button.tsx'
import { Filter } from '../ui/Select.tsx'
import { addressOf } from './address.ts'
import { clients } from './clients.ts'
import { ClientAddress } from './operations.generated.ts'
import './set-up.css'

/** How is a client set up to call this gateway? */
export function SetUp() {
  const [name, setName] = useState(clients[0]!.name)
  const page = useAnswer(ClientAddress, {})
  const url = page.data && addressOf(page.data.configuration)
  const client = clients.find((one) => one.name === name) ?? clients[0]!
  const shown = useRef<HTMLPreElement>(null)
  const [isCopied, copy] = useCopy(url === undefined ? '' : client.text(url), shown)
  return (
    <div className="set-up">
      <div className="set-up-head">
        <Filter
          label="Client"
          value={name}
          options={clients.map((one) => one.name)}
          onChange={setName}
        />
        <Button isSmall disabled={url === undefined} onClick={copy}>
          {isCopied ? 'Copied' : 'Copy the set-up'}
        </Button>
      </div>
      <AnswerNotices page={page} names={{ configuration: 'the address of the gateway' }} />
      {page.isLoading && <Bars lines={4} />}
      {page.data && url === undefined && (
        <p className="muted">The address of the gateway is not known.</p>
      )}
      {url !== undefined && (
        <>
          <pre
            className="json"
            ref={shown}
            // oxlint-disable-next-line jsx-a11y/no-noninteractive-tabindex -- A region that scrolls can be reached by keys.
            tabIndex={0}
            role="region"
            aria-label={`Set-up of ${client.name}`}
          >
            {client.text(url)}
          </pre>
          <p className="secondary">
            The key is in the variable <code>DRAGOMAN_KEY</code>; MODEL is one of the models that it
            may use.
          </p>
        </>
      )}
    </div>
  )
}
