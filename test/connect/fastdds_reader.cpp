// A node that knows nothing of Hawser: reads geometry_msgs/PoseStamped through Fast DDS, as ROS 2's default middleware does, with
// a type written by hand. Prints the first message. usage: fastdds_reader DOMAIN TOPIC
#include <fastcdr/Cdr.h>
#include <fastdds/dds/domain/DomainParticipant.hpp>
#include <fastdds/dds/domain/DomainParticipantFactory.hpp>
#include <fastdds/dds/subscriber/DataReader.hpp>
#include <fastdds/dds/subscriber/SampleInfo.hpp>
#include <fastdds/dds/subscriber/Subscriber.hpp>
#include <fastdds/dds/subscriber/qos/DataReaderQos.hpp>
#include <fastdds/dds/topic/TopicDataType.hpp>
#include <fastdds/dds/topic/TypeSupport.hpp>
#include <fastdds/rtps/transport/UDPv4TransportDescriptor.h>

#include <cstdio>
#include <cstdlib>
#include <string>

using namespace eprosima::fastdds::dds;
using eprosima::fastrtps::rtps::InstanceHandle_t;
using eprosima::fastrtps::rtps::SerializedPayload_t;

struct PoseStamped {
    int32_t sec;
    uint32_t nanosec;
    std::string frame;
    double values[7];
};

class PoseStampedType : public TopicDataType {
public:
    PoseStampedType() {
        setName("geometry_msgs::msg::dds_::PoseStamped_");
        m_typeSize = 400;
        m_isGetKeyDefined = false;
    }
    bool serialize(void*, SerializedPayload_t*) override {
        return false;
    }
    bool deserialize(SerializedPayload_t* payload, void* data) override {
        auto* out = static_cast<PoseStamped*>(data);
        eprosima::fastcdr::FastBuffer buffer(reinterpret_cast<char*>(payload->data), payload->length);
        eprosima::fastcdr::Cdr cdr(buffer, eprosima::fastcdr::Cdr::DEFAULT_ENDIAN,
                                   eprosima::fastcdr::Cdr::DDS_CDR);
        cdr.read_encapsulation();
        cdr >> out->sec >> out->nanosec >> out->frame;
        for (double& value : out->values) cdr >> value;
        return true;
    }
    std::function<uint32_t()> getSerializedSizeProvider(void*) override {
        return [] { return 400u; };
    }
    void* createData() override {
        return new PoseStamped();
    }
    void deleteData(void* data) override {
        delete static_cast<PoseStamped*>(data);
    }
    bool getKey(void*, InstanceHandle_t*, bool) override {
        return false;
    }
};

int main(int count, char** arguments) {
    if (count < 3) return 2;
    DomainParticipantQos qos;
    // loopback only: no shared memory, no other network
    auto transport = std::make_shared<eprosima::fastdds::rtps::UDPv4TransportDescriptor>();
    transport->interfaceWhiteList.push_back("127.0.0.1");
    qos.transport().use_builtin_transports = false;
    qos.transport().user_transports.push_back(transport);
    auto* participant =
        DomainParticipantFactory::get_instance()->create_participant(std::atoi(arguments[1]), qos);
    if (!participant) return 3;
    TypeSupport type(new PoseStampedType());
    type.register_type(participant);
    auto* topic = participant->create_topic(arguments[2], type.get_type_name(), TOPIC_QOS_DEFAULT);
    auto* subscriber = participant->create_subscriber(SUBSCRIBER_QOS_DEFAULT);
    DataReaderQos readerQos = DATAREADER_QOS_DEFAULT;
    readerQos.reliability().kind = RELIABLE_RELIABILITY_QOS;
    auto* reader = topic && subscriber ? subscriber->create_datareader(topic, readerQos) : nullptr;
    if (!reader) return 3;
    for (int turn = 0; turn < 150; ++turn) {
        if (!reader->wait_for_unread_message({0, 100000000u})) continue;
        PoseStamped pose;
        SampleInfo info;
        if (reader->take_next_sample(&pose, &info) != ReturnCode_t::RETCODE_OK || !info.valid_data) continue;
        std::printf("%s %.9g %.9g %.9g\n", pose.frame.c_str(), pose.values[0], pose.values[1], pose.values[2]);
        return 0;
    }
    std::printf("nothing came\n");
    return 1;
}
