import { useQuery } from '@apollo/client/react';
import { Answer } from '../components/answer.tsx';
import { NeedsLogin } from '../components/needs-login.tsx';
import { Page } from '../components/page.tsx';
import { readerPath } from '../components/person.tsx';
import { MoreBlockedDocument, MoreFollowRequestsDocument, ProfileDocument } from '../documents.generated.ts';
import { takesPasskeys } from '../parts/settings.ts';
import { Link, pathTo } from '../router.tsx';
import { useSession } from '../session.ts';
import { AccountForms } from './profile-account.tsx';
import { Blocks } from './profile-blocks.tsx';
import { ExportForm } from './profile-export.tsx';
import { NameForms } from './profile-name.tsx';
import { NotificationsForm } from './profile-notifications.tsx';
import { Passkeys } from './profile-passkeys.tsx';
import { PrivacyForm } from './profile-privacy.tsx';
import { PushForm } from './profile-push.tsx';
import { FollowRequests } from './profile-requests.tsx';
import { Sessions } from './profile-sessions.tsx';
import { SecondFactor } from './profile-two-factor.tsx';

/** The reader's own account: the name, who sees what, blocks, and the ways to log in. */
export function Profile() {
  const reader = useSession();
  const { data, loading, error, refetch, fetchMore } = useQuery(ProfileDocument, {
    skip: !reader,
    fetchPolicy: 'cache-and-network',
  });
  const viewer = data?.viewer;
  const settings = data?.settings ?? undefined;
  const passkeys = viewer?.passkeys ?? [];
  const isTwoFactorEnabled = viewer?.isTwoFactorEnabled === true;
  const reload = () => void refetch();
  if (!reader) return <NeedsLogin title="Profile" />;
  return (
    <Page title={viewer?.fullName ?? reader.fullName}>
      <p>
        <Link to={pathTo(readerPath(reader.readerId), { seenBy: 'EVERYONE' })}>What others see of me</Link>
      </p>
      <Answer isLoading={loading && !data} error={error}>
        {viewer && (
          <>
            <NameForms viewer={viewer} settings={settings} />
            {viewer.privacy && <PrivacyForm privacy={viewer.privacy} />}
            {viewer.notificationSettings && (
              <>
                <NotificationsForm settings={viewer.notificationSettings} />
                <PushForm
                  publicKey={settings?.pushPublicKey ?? undefined}
                  isPushed={viewer.notificationSettings.isPushed}
                />
              </>
            )}
            <FollowRequests
              requests={viewer.followRequests}
              reload={reload}
              load={(requestsAfter) => fetchMore({ query: MoreFollowRequestsDocument, variables: { requestsAfter } })}
            />
            <Blocks
              blocked={viewer.blocked}
              reload={reload}
              load={(blockedAfter) => fetchMore({ query: MoreBlockedDocument, variables: { blockedAfter } })}
            />
            {(takesPasskeys(settings) || passkeys.length > 0) && (
              <Passkeys passkeys={passkeys} canAdd={takesPasskeys(settings)} />
            )}
            {(settings?.hasSecondFactors === true || isTwoFactorEnabled) && (
              <SecondFactor
                isOn={isTwoFactorEnabled}
                isEmailVerified={viewer.isEmailVerified === true}
                reload={reload}
              />
            )}
            <Sessions sessions={viewer.sessions} />
            <ExportForm />
            <AccountForms
              email={viewer.email ?? ''}
              isAskedToVerify={settings !== undefined && settings.emailVerification !== 'ON_REQUEST'}
              reload={reload}
            />
          </>
        )}
      </Answer>
    </Page>
  );
}
