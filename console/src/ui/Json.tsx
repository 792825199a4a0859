import './json.css'

/** A value as JSON, in a region that scrolls. */
export function Json({ value, label }: { readonly value: unknown; readonly label: string }) {
  return (
    // oxlint-disable-next-line jsx-a11y/no-noninteractive-tabindex -- A region that scrolls can be reached by keys.
    <pre className="json" tabIndex={0} role="region" aria-label={label}>
      {JSON.stringify(value, null, 2)}
    </pre>
  )
}
