import { useMutation } from '@apollo/client/react';
import { Form } from '../components/form.tsx';
import { Section } from '../components/section.tsx';
import { ShareYearDocument } from '../documents.generated.ts';
import { notifyUnless } from '../notices.ts';
import { sharedYearPath } from './years.tsx';

interface Props {
  readonly readerId: string;
  readonly statistics: { readonly year: number; readonly isShared: boolean };
}

/** Shows a year to everyone, with a link and a picture to send, or ends that. */
export function Sharing({ readerId, statistics: { year, isShared } }: Props) {
  const [share] = useMutation(ShareYearDocument);
  const send = async () => {
    const { data } = await share({ variables: { year, isShared: !isShared } });
    return notifyUnless(
      data?.shareYear.userErrors,
      isShared ? `Your year ${year} is not shared any more.` : `Everyone who has the link sees your year ${year}.`,
    );
  };
  const link = `${location.origin}/app${sharedYearPath(readerId, year)}`;
  return (
    <Section title="Share">
      {isShared ? (
        <>
          <p>
            Everyone sees this year at <a href={link}>{link}</a>.
          </p>
          <img className="picture" src={`/pictures/years/${readerId}/${year}.png`} alt="" width="600" height="315" />
        </>
      ) : (
        <p>A link shows this year to everyone, whoever sees your readings otherwise.</p>
      )}
      <Form label="Share" button={isShared ? 'Stop sharing the year' : 'Share the year'} send={send} />
    </Section>
  );
}
